// Lamps that are broken: dark though driven, or lit all the time. They stay so when the power goes.
export class BrokenLamps {
  constructor(names) {
    this.names = names;
    this.how = new Map();
  }

  set(area, how) {
    if (!this.names.includes(area)) throw new Error(`there is no lamp ${JSON.stringify(area)}`);
    if (how === null) this.how.delete(area);
    else this.how.set(area, how);
  }

  /** Of the names of lamps that are driven, those that give light; and those that always do. */
  seen(driven) {
    const always = [...this.how].filter(([, how]) => how === 'lit').map(([name]) => name);
    return [...driven.filter((name) => !this.how.has(name)), ...always];
  }
}
