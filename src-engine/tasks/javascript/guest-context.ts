/**
 * What a JavaScript step is handed as `ctx`, in the guest's own language: it runs behind the prelude and keeps, like it,
 * the originals of what it needs. `signal` is as small as code needs it, and whoever asks for it is told to stop ahead
 * of its end; nothing of it is the host's.
 */
export const guestContext = `
(() => {
  'use strict';
  const { parse } = JSON;
  const { freeze } = Object;
  const write = console.log;
  const given = parse(globalThis.__ctx);
  const listens = globalThis.__listens;
  for (const name of ['__ctx', '__listens']) delete globalThis[name];

  let reason = null;
  let listeners = [];
  const call = (listener) => {
    const event = { type: 'abort', target: signal };
    if (typeof listener === 'function') listener.call(signal, event);
    else listener.handleEvent(event);
  };
  const signal = {
    onabort: null,
    get aborted() { return reason !== null; },
    get reason() { return reason ?? undefined; },
    throwIfAborted() { if (reason !== null) throw reason; },
    addEventListener(type, listener) { if (type === 'abort' && listener) listeners.push(listener); },
    removeEventListener(type, listener) { listeners = listeners.filter((one) => one !== listener); },
  };
  let isAskedFor = false;
  const ctx = freeze({
    log: (...values) => write(...values),
    get signal() {
      if (!isAskedFor) listens();
      isAskedFor = true;
      return signal;
    },
    secrets: freeze(given.secrets),
    idempotencyKey: given.idempotencyKey,
    attempt: given.attempt,
  });
  const abort = (name, message) => {
    if (reason !== null) return;
    reason = new Error(message);
    reason.name = name;
    const called = listeners;
    listeners = [];
    if (typeof signal.onabort === 'function') call(signal.onabort);
    for (const listener of called) call(listener);
  };
  return { abort, withContext: (code) => (input, run, vars) => code(input, run, vars, ctx) };
})()
`
