// The lives of an app in this process. Usually there is one, and the process ends with it. Where a spec asks for it
// (SAGASMITH_DOUBLE_KEPT), a life ends as an app does that is quit, and the next one begins with modules of its own: those of
// the app and those of the stand-in. What they share is the process, its browser, and the page of the last window.
import { setTimeout as after } from 'node:timers/promises'
import { startChromium } from './chromium.mjs'

const LOOK_EVERY_MS = 5
/** What closes takes some turns to be gone; who waits for longer had better start a process. */
const CLOSING_LIMIT_MS = 2_000

let count = 0
/** The `electron` module of the life that there is, or was last. */
let electron = {}

/** For who asks for `electron` from outside of the app. */
const now = new Proxy({}, { get: (_target, name) => electron[name] })

export { now as 'module.exports' }

/** Begins a life: the app's main module runs, and then it is ready. */
export async function beginLife(app, args) {
  count += 1
  const life = `?life=${count}`
  electron = await import(`./electron.mjs${life}`)
  electron.double.configure({ ...app, args })
  process.argv = [app.executable, ...args]
  await import(app.main + life)
  await electron.app.start()
}

/** Lets specs end a life and begin another one in its place. */
export async function keepLives({ app, args, profile }) {
  // Made at their first use, they would be taken for something that a life left behind.
  const streams = [process.stdout, process.stderr]
  await startChromium({ userData: profile, args })
  const before = takeStock(streams)
  const switches = args.slice(0, args.indexOf('--remote-debugging-port=0') + 1)
  globalThis.standInLives = {
    /** Whether nothing of the life is left: only then another one may begin. */
    end: async () => {
      await electron.app.endLife()
      return before.restore()
    },
    begin: (given) => {
      Object.assign(process.env, given.env)
      return beginLife(app, [...switches, ...given.args])
    },
  }
}

/** What is here before a life, and the way back to it. */
function takeStock(emitters) {
  const env = { ...process.env }
  const globals = new Set(Object.getOwnPropertyNames(globalThis)).add('standInLives')
  const heard = [process, ...emitters].map((emitter) => [emitter, listenersOf(emitter)])
  const resources = process.getActiveResourcesInfo()
  const restore = async () => {
    for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name]
    Object.assign(process.env, env)
    for (const name of Object.getOwnPropertyNames(globalThis)) {
      if (!globals.has(name)) Reflect.deleteProperty(globalThis, name)
    }
    for (const [emitter, known] of heard) {
      for (const [event, listener] of listenersOf(emitter)) {
        if (!known.some(([, one]) => one === listener)) emitter.removeListener(event, listener)
      }
    }
    return isBackTo(resources)
  }
  return { restore }
}

const listenersOf = (emitter) =>
  emitter.eventNames().flatMap((event) => emitter.rawListeners(event).map((listener) => [event, listener]))

/** Timers, servers, sockets and files of a life would go on in the next one. */
async function isBackTo(before) {
  for (let waitedMs = 0; waitedMs < CLOSING_LIMIT_MS; waitedMs += LOOK_EVERY_MS) {
    const rest = [...before]
    const left = process.getActiveResourcesInfo().filter((kind) => {
      const at = rest.indexOf(kind)
      if (at !== -1) rest.splice(at, 1)
      return at === -1
    })
    if (left.length === 0) return true
    await after(LOOK_EVERY_MS)
  }
  return false
}
