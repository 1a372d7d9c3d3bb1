// Starts the system's Chromium and speaks the DevTools protocol to it over a pipe. The pipe also
// ties the browser's life to ours: when this process dies, even by SIGKILL, the browser ends. A
// debugging port is opened as well, for Playwright, and announced as Electron announces it.
import { spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fail } from './fail.mjs'

const CLOSE_LIMIT_MS = 5000

/** What Electron hasn't. The last ones are pages of the browser's own window, made anew for every window. */
const off = [
  ...['BackForwardCache', 'Translate', 'MediaRouter', 'HttpsUpgrades', 'PaintHolding', 'OptimizationHints'],
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'PreloadTopChromeWebUI', 'SpareRendererForSitePerProcess'],
]

/** The DevTools protocol over a pair of pipes: commands by id, events by session. */
class Cdp extends EventEmitter {
  #next = 1
  #pending = new Map()
  #listeners = new Map()
  #tail = []
  #out

  constructor(out, incoming) {
    super()
    this.#out = out
    incoming.on('data', (chunk) => this.#read(chunk))
    incoming.on('close', () => this.#end())
    incoming.on('error', () => this.#end())
    out.on('error', () => this.#end())
  }

  /** Sends one command; rejects with the protocol's own message. */
  send(method, params = {}, sessionId) {
    if (this.#out === null) return Promise.reject(new Error(`${method}: the browser is gone`))
    const id = this.#next++
    this.#out.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
    return new Promise((resolve, reject) => this.#pending.set(id, { resolve, reject, method }))
  }

  /** Calls `listener(method, params)` for every event of one session ('' is the browser). */
  listen(sessionId, listener) {
    this.#listeners.set(sessionId, listener)
  }

  unlisten(sessionId) {
    this.#listeners.delete(sessionId)
  }

  #read(chunk) {
    let from = 0
    for (let at = chunk.indexOf(0); at !== -1; at = chunk.indexOf(0, from)) {
      this.#tail.push(chunk.subarray(from, at))
      const text = Buffer.concat(this.#tail).toString('utf8')
      this.#tail = []
      from = at + 1
      this.#dispatch(JSON.parse(text))
    }
    if (from < chunk.length) this.#tail.push(chunk.subarray(from))
  }

  #dispatch(message) {
    if (message.id === undefined) {
      this.#listeners.get(message.sessionId ?? '')?.(message.method, message.params)
      return
    }
    const pending = this.#pending.get(message.id)
    this.#pending.delete(message.id)
    if (message.error === undefined) pending?.resolve(message.result)
    else pending?.reject(new Error(`${pending.method}: ${message.error.message}`))
  }

  #end() {
    if (this.#out === null) return
    this.#out = null
    for (const { reject, method } of this.#pending.values())
      reject(new Error(`${method}: the browser is gone`))
    this.#pending.clear()
    this.emit('end')
  }
}

/** The Chromium to run: SAGASMITH_CHROMIUM, else the usual places. */
function findChromium() {
  const named = process.env['SAGASMITH_CHROMIUM']
  const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
  const found = [...(named ? [named] : []), ...places].find((path) => existsSync(path))
  return (
    found ?? fail('Chromium was not found. Install it (apt-get install chromium) or set SAGASMITH_CHROMIUM.')
  )
}

function chromiumArguments({ userData, port, noSandbox }) {
  const isHeaded = process.env['SAGASMITH_DOUBLE_HEADED'] === '1'
  return [
    ...(isHeaded ? [] : ['--headless=new']),
    ...(noSandbox || process.getuid?.() === 0 ? ['--no-sandbox', '--test-type'] : []),
    `--user-data-dir=${join(userData, 'double-profile')}`,
    `--remote-debugging-port=${port}`,
    '--remote-debugging-pipe',
    '--no-startup-window',
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-popup-blocking',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-extensions',
    '--disable-dev-shm-usage',
    '--disable-backgrounding-occluded-windows',
    '--disable-renderer-backgrounding',
    '--disable-background-timer-throttling',
    '--password-store=basic',
    '--force-color-profile=srgb',
    // Electron gives pages the `close` event of ports; plain Chromium keeps it behind this switch.
    '--enable-blink-features=MessagePortCloseEvent',
    `--disable-features=${off.join(',')}`,
  ]
}

let started = null
/** The page targets that a life left to the next one. */
export const leftTargets = []

/** Starts Chromium, once; resolves with its CDP connection and a `close` that waits for its exit. */
export function startChromium({ userData, args }) {
  const value = (name) => args.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1]
  started ??= start({
    userData,
    port: value('remote-debugging-port') || '0',
    noSandbox: args.includes('--no-sandbox'),
  })
  return started
}

async function start({ userData, port, noSandbox }) {
  mkdirSync(userData, { recursive: true })
  const child = spawn(findChromium(), chromiumArguments({ userData, port, noSandbox }), {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const announced = new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`Chromium ended at start with code ${code}`)))
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (process.env['SAGASMITH_DOUBLE_VERBOSE'] === '1') process.stderr.write(`chromium: ${line}\n`)
      if (line.startsWith('DevTools listening on ')) resolve(line)
    })
  })
  const cdp = new Cdp(child.stdio[3], child.stdio[4])
  process.stderr.write(`\n${await announced.catch((error) => fail(error.message))}\n`)
  const close = async () => {
    // Killing Chromium straight after Browser.close loses localStorage, so its exit is awaited.
    cdp.send('Browser.close').catch(() => undefined)
    const limit = setTimeout(() => child.kill('SIGKILL'), CLOSE_LIMIT_MS)
    await exited
    clearTimeout(limit)
  }
  return { cdp, close }
}
