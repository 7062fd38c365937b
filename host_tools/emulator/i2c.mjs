// The chip's I2C controllers, joined to the parts on the pins they are switched to.
// rp2040js leaves the bus to its user: by itself no address answers, and no byte takes any time. The wires
// stay at rest meanwhile: a part is told the bytes, not shown the levels.
const FUNCTION_I2C = 3;
const CLOCKS_A_BYTE = 9;

/** Each GPIO belongs to one controller: 0, 1 to the first, 2, 3 to the second, 4, 5 to the first again. */
const controllerOf = (gpio) => (gpio >> 1) & 1;

export function joinI2c(rp2040, parts) {
  const slaves = Object.values(parts).filter((part) => part.sda !== undefined);
  rp2040.i2c.forEach((i2c, index) => new Bus(rp2040, i2c, index, slaves));
}

class Bus {
  constructor(rp2040, i2c, index, slaves) {
    this.rp2040 = rp2040;
    this.i2c = i2c;
    this.index = index;
    this.slaves = slaves;
    this.spokenTo = null;
    this.then = null;
    this.alarm = rp2040.clock.createAlarm(() => this.then());
    i2c.onConnect = (address, mode) => this.after(() => this.connect(address, mode));
    i2c.onWriteByte = (byte) => this.after(() => this.write(byte));
    i2c.onStop = () => this.stop();
  }

  /** A byte and its acknowledgement take their clocks. */
  after(then) {
    const { i2c, rp2040 } = this;
    this.then = then;
    this.alarm.schedule((CLOCKS_A_BYTE * (i2c.sclLowPeriod + i2c.sclHighPeriod) * 1e9) / rp2040.clkSys);
  }

  wiredTo(slave) {
    const { gpio } = this.rp2040;
    const ours = (wire) => controllerOf(wire) === this.index && gpio[wire].functionSelect === FUNCTION_I2C;
    return ours(slave.sda) && ours(slave.scl);
  }

  connect(address, mode) {
    this.spokenTo = this.slaves.find((slave) => this.wiredTo(slave) && slave.connect(address, mode)) ?? null;
    this.i2c.completeConnect(this.spokenTo !== null);
  }

  write(byte) {
    this.spokenTo.write(byte);
    this.i2c.completeWrite(true);
  }

  stop() {
    this.spokenTo?.stop();
    this.spokenTo = null;
    this.i2c.completeStop();
  }
}
