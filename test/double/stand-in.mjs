// State that every part of the stand-in shares: what was launched, the live CDP connection, and
// the record of calls that real Electron would have shown on the screen.

import { homedir } from 'node:os'
import { join } from 'node:path'

function switchValue(args, name) {
  const prefix = `--${name}=`
  return args.find((arg) => arg.startsWith(prefix))?.slice(prefix.length)
}

class StandIn {
  appPath = process.cwd()
  manifest = {}
  args = []
  isPackaged = false
  /** The CDP connection once the browser runs, else null. */
  cdp = null
  /** Schemes registered as privileged, by name. */
  schemes = new Map()
  /** Handlers set by `protocol.handle`, by scheme. */
  protocolHandlers = new Map()
  /** What a person would have seen or heard: one entry per call. */
  recorded = []
  switches = new Map()
  /** Settled once pages may be loaded: at once, unless a spec has yet to put files where the first one looks. */
  released =
    process.env['SAGASMITH_DOUBLE_HELD'] === '1'
      ? new Promise((resolve) => Object.assign(globalThis, { releasePages: resolve }))
      : Promise.resolve()

  configure({ appPath, manifest, args, isPackaged }) {
    Object.assign(this, { appPath, manifest, args, isPackaged })
    for (const arg of args) {
      const match = /^--([^=]+)(?:=(.*))?$/.exec(arg)
      if (match !== null) this.switches.set(match[1], match[2] ?? '')
    }
  }

  get name() {
    return this.manifest.productName ?? this.manifest.name ?? 'Electron'
  }

  get defaultUserData() {
    return switchValue(this.args, 'user-data-dir') ?? join(homedir(), '.config', this.name)
  }

  record(kind, details) {
    this.recorded.push({ kind, ...details })
  }

  /** Refuses loudly what the stand-in does not imitate, so that no test passes on nothing. */
  refuse(what) {
    throw new Error(`electron double: ${what} is not imitated`)
  }
}

export const standIn = new StandIn()
