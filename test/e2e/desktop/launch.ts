/**
 * Starts the desktop app for a spec: through the stand-in for Electron, or with ELECTRON=real through the
 * real binary. Specs must hold in both: click menu items by id, stub dialogs by assignment, never look at
 * the page's own address (`webContents.getURL()` has the app's).
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { ElectronApplication } from '@playwright/test'
import { _electron } from '@playwright/test'

export const projectRoot = resolve(import.meta.dirname, '../../..')
const standIn = join(projectRoot, 'test/double/electron')

/** Whether the real binary is under test. */
const isRealElectron = process.env['ELECTRON'] === 'real'

/** Whether one app after the other may have a process: of the real one each has its own. */
export const hasLives = !isRealElectron

export interface LaunchOptions {
  /** Folder with the app's package.json. */
  readonly appFolder: string
  /** Own data folder of the app; every test has one. */
  readonly userData: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Windows load nothing until `releasePages`; the real binary doesn't wait. */
  readonly isHeld?: boolean
  /** A folder for what outlives the app, where another one is to follow in its process; the real binary has one life. */
  readonly keptIn?: string
  /** The folder holds packed files; only the stand-in can run them as such. */
  readonly isPackaged?: boolean
}

function inheritedEnv(): Record<string, string> {
  const entries = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return Object.fromEntries(entries)
}

const argumentsOf = ({ appFolder, userData, args = [] }: LaunchOptions): string[] => [
  ...[appFolder, `--user-data-dir=${userData}`],
  ...args,
]

/** Never the data of the person at this machine. */
const environmentOf = ({ userData, env }: LaunchOptions): Readonly<Record<string, string>> => ({
  SAGASMITH_DATA: join(userData, 'engine'),
  ...env,
})

/** What the stand-in has for an app that is kept. */
interface Lives {
  readonly end: () => Promise<boolean>
  readonly begin: (on: {
    readonly args: readonly string[]
    readonly env: Readonly<Record<string, string>>
  }) => Promise<void>
}

/** Launches the app and keeps what it prints in the test's output. */
export async function launch(options: LaunchOptions): Promise<ElectronApplication> {
  const { appFolder, isHeld = false, isPackaged = false, keptIn } = options
  const held: Record<string, string> = isHeld ? { SAGASMITH_DOUBLE_HELD: '1' } : {}
  const packed: Record<string, string> = isPackaged ? { SAGASMITH_DOUBLE_APP: appFolder } : {}
  const kept: Record<string, string> = keptIn === undefined ? {} : { SAGASMITH_DOUBLE_KEPT: keptIn }
  return _electron.launch({
    ...(isRealElectron && !isPackaged ? {} : { executablePath: standIn }),
    args: argumentsOf(options),
    cwd: projectRoot,
    env: { ...inheritedEnv(), ...packed, ...held, ...kept, ...environmentOf(options) },
    // The app's theme decides, not Playwright's default.
    colorScheme: null,
    timeout: 120_000,
  })
}

/** Lets the windows of an app load that was launched with `isHeld`; false where it never waited, or not any more. */
export const releasePages = (app: ElectronApplication): Promise<boolean> =>
  app.evaluate(() => {
    const release: unknown = Reflect.get(globalThis, 'releasePages')
    if (typeof release !== 'function') return false
    Reflect.deleteProperty(globalThis, 'releasePages')
    release()
    return true
  })

/** Ends an app that is kept, but for its process and its page; whether another one may begin there. */
export const endLife = (app: ElectronApplication): Promise<boolean> =>
  app.evaluate(() => (Reflect.get(globalThis, 'standInLives') as Lives | undefined)?.end() ?? false)

/** Begins another one there. */
export const beginLife = (app: ElectronApplication, options: LaunchOptions): Promise<void> =>
  app.evaluate((_electron, on) => (Reflect.get(globalThis, 'standInLives') as Lives).begin(on), {
    args: argumentsOf(options),
    env: environmentOf(options),
  })

/** A new folder for one test, and the way to remove it. */
export async function makeFolder(): Promise<{ readonly path: string; readonly remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'sagasmith-desktop-'))
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) }
}

/** How the app's process ended; take it before the app is asked to close. */
export function exitCodeOf(app: ElectronApplication): Promise<number | null> {
  const child = app.process()
  if (child.exitCode !== null) return Promise.resolve(child.exitCode)
  return new Promise((settle) => {
    child.once('exit', (code) => settle(code))
  })
}

/** The command that starts the same executable by hand, for a second instance. */
export async function executableOf(app: ElectronApplication): Promise<string> {
  if (!isRealElectron) return standIn
  return app.evaluate(() => process.execPath)
}
