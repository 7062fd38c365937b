// The USB host at the other end of the chip's CDC port: enumerates it, opens it while a client is there,
// moves bytes in packets. Time is the chip's; who the client is, is link.mjs' business.
// With no client the port is closed: DTR is off and the host asks for no data, as Linux does. What the
// chip then sends stays in the chip: one packet in the endpoint and MicroPython's 256 bytes of newest
// output behind it; a client that comes later gets those.
import { USBCDC } from './rp2040js.mjs';

const INTE = 0x90;
const SOF_RD = 0x48;
const SIE_STATUS = 0x50;
const CONTROLLER_ENABLED = 1;
const SUSPENDED = 1 << 4; // in SIE_STATUS
const SUSPEND = 1 << 14; // the interrupts
const SOF = 1 << 17;
const SUSPEND_NS = 3e6; // USB 2.0, 7.1.7.6: a bus so long silent is suspended
const ROM_BYTES = 0x4000;
const FRAME_NS = 1e6;
const DEBOUNCE_NS = 100e6; // USB 2.0, 7.1.7.3: a host looks at a new device no sooner
const DTR_AND_RTS = 3;
const CONTROL = 0;

export class UsbHost {
  /** onData(bytes): from the chip. onFirstOutput(): the first packet after an attach. onGone(): the host has
   * lost its serial port. onBootsel(): the ROM offers its disk, not a serial port. */
  constructor({ onData, onFirstOutput, onGone, onBootsel }) {
    this.onData = onData;
    this.onFirstOutput = onFirstOutput;
    this.onGone = onGone;
    this.onBootsel = onBootsel;
    this.plugged = true; // the cable: it stays as it is through cuts and resets
    this.open = false;
    this.reading = false;
    this.usb = null;
    this.detach();
  }

  /** The chip is gone (cut or reset): bytes under way go nowhere. */
  detach() {
    this.usb = null;
    this.cdc = null;
    this.armedBytes = null;
    this.held = null; // {ready, packets}: a packet the chip sent that nobody has fetched
    this.lineBusy = true;
    this.lineSent = null;
    this.silent = true;
    this.forgetWaiting();
  }

  forgetWaiting() {
    this.waiting = []; // chunks for the chip
    this.waitingBytes = 0;
  }

  attach(rp2040) {
    this.usb = rp2040.usbCtrl;
    this.debounced = rp2040.clock.createAlarm(() => this.usb?.resetDevice());
    this.silence = rp2040.clock.createAlarm(() => this.suspend());
    this.mendStartOfFrame(rp2040.clock);
    this.hookIn();
    this.beginEnumeration(rp2040.core);
  }

  /** A new device for the host, which knows nothing of it yet. */
  beginEnumeration(core) {
    this.core = core;
    this.cdc = new USBCDC(this.usb);
    this.armedBytes = null;
    this.held = null;
    this.lineBusy = true;
    this.lineSent = null;
    this.usb.onUSBEnabled = () => this.noteEnabled();
    this.hookControlLines();
    this.hookOut();
  }

  noteEnabled() {
    if (this.core.PC < ROM_BYTES) this.onBootsel();
    else if (this.plugged) this.debounced.schedule(DEBOUNCE_NS);
  }

  unplug() {
    this.plugged = false;
    this.forgetWaiting();
    this.onGone();
    this.debounced.cancel();
    this.silence.schedule(SUSPEND_NS);
  }

  plug() {
    this.plugged = true;
    this.silence.cancel();
    this.beginEnumeration(this.core);
    this.startFrames();
    if (this.usb.mainCtrl & CONTROLLER_ENABLED) this.debounced.schedule(DEBOUNCE_NS);
  }

  /** Nothing has been on the bus for so long that the chip is told. */
  suspend() {
    const { usb } = this;
    usb.sieStatus |= SUSPENDED;
    usb.intRaw |= SUSPEND;
    usb.checkInterrupts();
  }

  /** Defect: rp2040js makes no start-of-frame in device mode, and reading SOF_RD does not clear its
   * interrupt; MicroPython flushes its output by it when the port is opened. */
  mendStartOfFrame(clock) {
    const { usb } = this;
    const alarm = clock.createAlarm(() => {
      if (!(usb.intEnable & SOF) || !this.plugged) return;
      usb.sofFrameNumber = Math.floor(clock.nanos / FRAME_NS);
      usb.intRaw |= SOF;
      usb.checkInterrupts();
      alarm.schedule(FRAME_NS);
    });
    this.startFrames = () => {
      if (usb.intEnable & SOF) alarm.schedule(FRAME_NS - (clock.nanos % FRAME_NS));
    };
    const write = usb.writeUint32.bind(usb);
    usb.writeUint32 = (offset, value) => {
      const before = usb.intEnable;
      write(offset, value);
      if (offset === INTE && usb.intEnable & ~before & SOF) this.startFrames();
      if (offset === SIE_STATUS && usb.rawWriteValue & SUSPENDED) this.clearSuspend();
    };
    const read = usb.readUint32.bind(usb);
    usb.readUint32 = (offset) => {
      if (offset !== SOF_RD) return read(offset);
      usb.intRaw &= ~SOF;
      usb.checkInterrupts();
      return usb.sofFrameNumber & 0x7ff;
    };
  }

  /** Defect: rp2040js knows no suspend, and its SUSPENDED flag cannot be cleared. */
  clearSuspend() {
    const { usb } = this;
    usb.sieStatus &= ~SUSPENDED;
    usb.intRaw &= ~SUSPEND;
    usb.checkInterrupts();
  }

  /** The last step of enumeration sets the control lines; afterwards one request at a time. */
  hookControlLines() {
    const { cdc, usb } = this;
    const setLines = cdc.cdcSetControlLineState.bind(cdc);
    this.setLines = setLines;
    cdc.cdcSetControlLineState = () => {
      cdc.initialized = true;
      this.lineBusy = false;
      this.updateLines();
    };
    const write = usb.onEndpointWrite;
    usb.onEndpointWrite = (endpoint, bytes) => {
      if (endpoint === CONTROL && cdc.initialized && bytes.length === 0) {
        this.lineBusy = false;
        this.updateLines();
        this.feed(); // what came before the port was open
      } else if (endpoint === cdc.inEndpoint && cdc.initialized) this.packetIn(bytes);
      else write(endpoint, bytes);
    };
  }

  updateLines() {
    if (this.lineBusy || this.lineSent === this.open) return;
    this.lineBusy = true;
    this.lineSent = this.open;
    this.setLines(this.open ? DTR_AND_RTS : 0);
  }

  /** Defect: rp2040js answers an armed OUT endpoint with an empty packet every 10 us when it has nothing
   * to say, and the CPU never rests. Here it is answered only when there is data, else it is left waiting. */
  hookOut() {
    this.usb.onEndpointRead = (endpoint, size) => {
      if (endpoint !== this.cdc.outEndpoint) return;
      this.armedBytes = size;
      this.feed();
    };
  }

  /** Defect: rp2040js takes every IN packet at once, as if someone always read. Here the endpoint stays
   * full until the client reads, so that the chip feels a host that stops. */
  hookIn() {
    const ready = this.usb.indicateBufferReady.bind(this.usb);
    this.usb.indicateBufferReady = (endpoint, out) => {
      if (out || endpoint !== this.cdc.inEndpoint) return ready(endpoint, out);
      if (this.silent) this.onFirstOutput();
      this.silent = false;
      if (this.reading) return ready(endpoint, out);
      this.held = { ready: () => ready(endpoint, out), packets: [] };
    };
  }

  packetIn(bytes) {
    if (!this.held) return this.onData(bytes);
    this.held.packets.push(bytes);
    if (this.reading) this.release();
  }

  release() {
    if (!this.held || !this.held.packets.length) return; // not on the wire yet: packetIn calls again
    const { ready, packets } = this.held;
    this.held = null;
    for (const bytes of packets) this.onData(bytes);
    ready();
  }

  /** A client opens or closes the port. */
  setOpen(open) {
    this.open = open;
    this.setReading(open);
    if (!open) this.forgetWaiting();
    if (this.usb && this.plugged) this.updateLines();
  }

  /** The client takes data, or its line is full. */
  setReading(reading) {
    this.reading = reading;
    if (reading) this.release();
  }

  /** Bytes for the chip; without a chip they go nowhere. */
  send(bytes) {
    if (!this.usb || !this.plugged) return;
    this.waiting.push(bytes);
    this.waitingBytes += bytes.length;
    this.feed();
  }

  /** One packet, never more than the endpoint is armed for. */
  feed() {
    if (this.armedBytes === null || !this.waiting.length || !this.cdc.initialized) return;
    const chunk = this.waiting[0];
    const packet = Uint8Array.from(chunk.subarray(0, this.armedBytes));
    if (packet.length === chunk.length) this.waiting.shift();
    else this.waiting[0] = chunk.subarray(packet.length);
    this.waitingBytes -= packet.length;
    this.armedBytes = null;
    this.usb.endpointReadDone(this.cdc.outEndpoint, packet);
  }
}
