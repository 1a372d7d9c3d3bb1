// Does what Electron does between exec and the app's first line: finds the app, sets the process
// globals, runs its main module, then starts the browser and announces `ready`.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fail } from './fail.mjs'
import { beginLife, keepLives } from './lives.mjs'

const args = process.argv.slice(2)
const appArgument = args.find((arg) => !arg.startsWith('-'))
const packaged = process.env['SAGASMITH_DOUBLE_APP']
const appPath = resolve(packaged ?? appArgument ?? '.')

/** Reads the app's package.json and returns the absolute path of its main module. */
function findMain() {
  if (!existsSync(appPath)) fail(`Unable to find Electron app at ${appPath}`)
  if (statSync(appPath).isFile()) return { main: appPath, manifest: {} }
  const file = join(appPath, 'package.json')
  if (!existsSync(file)) fail(`Unable to find Electron app at ${appPath}: it has no package.json`)
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  const main = resolve(appPath, manifest.main ?? 'index.js')
  if (!existsSync(main)) fail(`Cannot find module ${main}. Build the app first (electron-vite build).`)
  return { main, manifest }
}

const { main, manifest } = findMain()
const executable = process.env['SAGASMITH_DOUBLE_EXEC'] ?? join(import.meta.dirname, 'electron')
if (packaged === undefined) process.defaultApp = true
process.resourcesPath = packaged === undefined ? import.meta.dirname : dirname(appPath)

const app = {
  appPath,
  manifest,
  main: pathToFileURL(main).href,
  executable,
  isPackaged: packaged !== undefined,
}
const keptProfile = process.env['SAGASMITH_DOUBLE_KEPT']
if (keptProfile !== undefined) await keepLives({ app, args, profile: keptProfile })
await beginLife(app, args)
