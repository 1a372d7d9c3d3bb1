// Makes `electron` resolve to the stand-in for both import and require, and dresses the process
// as Electron's main process, before any line of the app runs.
import { registerHooks } from 'node:module'

const home = new URL('./electron.mjs', import.meta.url).href
const standIns = new Map([
  ['electron', home],
  ['electron/main', home],
  ['electron/common', home],
  ['original-fs', 'node:fs'],
])

registerHooks({
  resolve(specifier, context, next) {
    const url = standIns.get(specifier)
    return url === undefined ? next(specifier, context) : { url, shortCircuit: true }
  },
})

Object.defineProperty(process.versions, 'electron', { value: '45.4.1', enumerable: true })
Object.defineProperty(process.versions, 'chrome', { value: '156.0.0.0', enumerable: true })
Object.defineProperty(process, 'type', { value: 'browser', enumerable: true })
