// Makes `electron` resolve to the stand-in for both import and require, and dresses the process
// as Electron's main process, before any line of the app runs.
import { registerHooks } from 'node:module'

const here = (name) => new URL(name, import.meta.url).href
const electronNames = new Set(['electron', 'electron/main', 'electron/common'])
/** What all lives of a process share: its browser, and what begins and ends them. */
const shared = new Set(['chromium.mjs', 'fail.mjs', 'lives.mjs'].map(here))

/** The life that a module is of, as it stands in its address; nothing for what is of none. */
const lifeOf = (url) => /\?life=\d+$/.exec(url ?? '')?.[0] ?? ''
const hasLives = (url) => url.startsWith('file:') && !url.includes('/node_modules/') && !shared.has(url)

registerHooks({
  resolve(specifier, context, next) {
    const life = lifeOf(context.parentURL)
    if (electronNames.has(specifier)) {
      // Who asks from outside of the app, as Playwright does, asks for what it has at that time.
      return { url: life === '' ? here('lives.mjs') : here('electron.mjs') + life, shortCircuit: true }
    }
    const found = specifier === 'original-fs' ? next('node:fs', context) : next(specifier, context)
    return life !== '' && hasLives(found.url) ? { ...found, url: found.url + life } : found
  },
})

Object.defineProperty(process.versions, 'electron', { value: '45.4.1', enumerable: true })
Object.defineProperty(process.versions, 'chrome', { value: '156.0.0.0', enumerable: true })
Object.defineProperty(process, 'type', { value: 'browser', enumerable: true })
