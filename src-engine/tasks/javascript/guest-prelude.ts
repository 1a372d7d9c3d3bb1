/**
 * The first code in every sandbox, in the guest's own language: a console, a frozen clock, seeded random
 * numbers, and the function that calls the user's code. It keeps the originals of what it needs, so that
 * code which replaces `JSON` only fools itself.
 */
export const guestPrelude = `
(() => {
  'use strict';
  const { parse, stringify } = JSON;
  const log = globalThis.__log;
  const data = ['__input', '__run', '__vars'].map((name) => parse(globalThis[name]));
  const seeds = parse(globalThis.__seeds);
  for (const name of ['__log', '__input', '__run', '__vars', '__seeds']) delete globalThis[name];

  const textOf = (value) => {
    if (typeof value === 'string') return value;
    if (value instanceof Error) return String(value);
    try { return stringify(value) ?? String(value); } catch { return String(value); }
  };
  const writer = (level) => (...values) => { log(level, values.map(textOf).join(' ')); };
  globalThis.console = {
    log: writer('info'), info: writer('info'), debug: writer('debug'),
    warn: writer('warn'), error: writer('error'), trace: writer('debug'),
  };

  let state = seeds.seed >>> 0;
  Math.random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };

  const RealDate = Date;
  function FrozenDate(...parts) {
    if (new.target === undefined) return new RealDate(seeds.now).toString();
    const date = parts.length === 0 ? new RealDate(seeds.now) : new RealDate(...parts);
    return Object.setPrototypeOf(date, new.target.prototype);
  }
  FrozenDate.prototype = RealDate.prototype;
  FrozenDate.prototype.constructor = FrozenDate;
  FrozenDate.now = () => seeds.now;
  FrozenDate.parse = RealDate.parse;
  FrozenDate.UTC = RealDate.UTC;
  globalThis.Date = FrozenDate;
  delete globalThis.performance;

  return async (code) => {
    const value = await code(...data);
    return value === undefined ? undefined : stringify(value);
  };
})()
`
