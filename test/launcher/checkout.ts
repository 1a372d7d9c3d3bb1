/** A checkout in miniature: the real launcher beside a command line, a lock and an npm made for the test. */
import { spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

const bin = resolve(import.meta.dirname, '../../bin')

/** How a launcher ended and what it said. */
export interface Ending {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** A running launcher. */
export interface Launch {
  readonly ended: Promise<Ending>
  readonly kill: (signal: NodeJS.Signals) => void
  /** Settles once stdout holds the text. */
  readonly printed: (text: string) => Promise<void>
  readonly say: (text: string) => void
}

/** What tests do with the miniature checkout. */
export interface Checkout {
  readonly write: (path: string, text: string) => void
  /** The text of a file; null where there is none. */
  readonly read: (path: string) => string | null
  readonly path: (path: string) => string
  readonly launch: (args: readonly string[], env?: Readonly<Record<string, string>>) => Launch
  readonly remove: () => void
}

const lockOf = (version: string) =>
  JSON.stringify({ packages: { '': { name: 'mini' }, 'node_modules/a': { version } } })

/** The npm of the test: notes that it was called, then installs what the lock names. */
const npm = `
import { appendFileSync, copyFileSync, existsSync, mkdirSync } from 'node:fs'
appendFileSync('npm-calls', process.argv.slice(2).join(' ') + '\\n')
if (existsSync('npm-breaks')) { console.error('npm error the line is cut'); process.exit(1) }
mkdirSync('node_modules', { recursive: true })
copyFileSync('package-lock.json', 'node_modules/.package-lock.json')
`

function launch(folder: string, args: readonly string[], env: Readonly<Record<string, string>>): Launch {
  const child = spawn(process.execPath, [join(folder, 'bin/sagasmith.mjs'), ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], npm_execpath: join(folder, 'npm/npm-cli.mjs'), ...env },
  })
  let stdout = ''
  let stderr = ''
  const waiting: { readonly text: string; readonly wake: () => void }[] = []
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk)
    for (const { text, wake } of waiting) if (stdout.includes(text)) wake()
  })
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk)
  })
  return {
    ended: new Promise((settle) => {
      child.once('close', (code, signal) => settle({ code, signal, stdout, stderr }))
    }),
    kill: (signal) => child.kill(signal),
    printed: (text) =>
      new Promise((wake) => {
        if (stdout.includes(text)) wake()
        else waiting.push({ text, wake })
      }),
    say: (text) => child.stdin.end(text),
  }
}

/** Makes one whose dependencies are installed. */
export function makeCheckout(): Checkout {
  const folder = mkdtempSync(join(tmpdir(), 'sagasmith-launcher-'))
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
    if (text.startsWith('#!')) chmodSync(join(folder, path), 0o755)
  }
  cpSync(bin, join(folder, 'bin'), { recursive: true })
  write('package.json', '{ "type": "module" }')
  write('package-lock.json', lockOf('1.0.0'))
  write('node_modules/.package-lock.json', lockOf('1.0.0'))
  write('npm/npm-cli.mjs', npm)
  write(
    'src-engine/shell/cli.ts',
    'const said: string = process.argv.slice(2).join(" ")\nconsole.log(said)\n',
  )
  return {
    write,
    read: (path) => (existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : null),
    path: (path) => join(folder, path),
    launch: (args, env = {}) => launch(folder, args, env),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** A lock in another version than the installed one. */
export const newerLock = lockOf('2.0.0')
