// The chip's USB serial port as a TCP port of this machine. One client at a time, as one program opens a
// serial port; a second one is closed at once. The port stays through cuts and resets of the board.
import net from 'node:net';

const MOST_WAITING_BYTES = 1 << 24;
const GRACE_MS = 30; // a client that has just closed may be heard of after the next one's call

export class Link {
  /** connect(chip, pace) joins the two ends before listen(). */
  constructor() {
    this.client = null;
    this.server = net.createServer((socket) => this.accept(socket));
  }

  connect(chip, pace) {
    this.chip = chip;
    this.pace = pace;
  }

  listen() {
    return new Promise((done, fail) => {
      this.server.once('error', fail);
      this.server.listen(0, '127.0.0.1', () => done(this.server.address().port));
    });
  }

  accept(socket) {
    socket.on('error', () => {});
    if (!this.chip.hasPort) return socket.destroy();
    if (!this.client) this.adopt(socket);
    else setTimeout(() => (this.client ? socket.destroy() : this.adopt(socket)), GRACE_MS);
  }

  adopt(socket) {
    if (socket.destroyed) return;
    this.client = socket;
    socket.setNoDelay(true);
    socket.on('data', (bytes) => this.fromClient(bytes));
    socket.on('drain', () => this.touching(() => this.chip.usb.setReading(true)));
    socket.on('close', () => this.closed(socket));
    this.touching(() => this.chip.usb.setOpen(true));
  }

  /** The host's serial port is gone, as when a cable is pulled: its client hears it at once. */
  hangUp() {
    this.client?.destroy();
  }

  closed(socket) {
    if (this.client !== socket) return;
    this.client = null;
    this.touching(() => this.chip.usb.setOpen(false));
  }

  fromClient(bytes) {
    this.touching(() => this.chip.usb.send(bytes));
    if (this.chip.usb.waitingBytes > MOST_WAITING_BYTES) this.client.destroy(); // it floods a chip that does not read
  }

  /** What comes from outside comes at the wall clock's time, and the chip looks at it at once. */
  touching(action) {
    this.pace.touch();
    action();
    this.pace.wake();
  }

  /** From the chip; a client that does not read stops the USB host from reading. */
  onData(bytes) {
    if (!this.client || this.client.destroyed) return;
    if (!this.client.write(Buffer.from(bytes))) this.chip.usb.setReading(false);
  }
}
