/** Calls npm through whatever Node runs the launcher, without depending on PATH or a shell where possible. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** npm's script: the one that runs us, else the one installed beside this Node. */
function npmScript() {
  const beside = dirname(process.execPath)
  const candidates = [
    process.env['npm_execpath'] ?? '',
    join(beside, '../lib/node_modules/npm/bin/npm-cli.js'),
    join(beside, 'node_modules/npm/bin/npm-cli.js'),
  ]
  return candidates.find((path) => /npm-cli\.[cm]?js$/.test(path) && existsSync(path))
}

/**
 * Runs npm quietly. Returns its exit code and everything it said; 127 when there is no npm at all.
 * @param {readonly string[]} args
 * @param {string} cwd
 */
export function runNpm(args, cwd) {
  const quiet = [...args, '--no-audit', '--no-fund', '--loglevel=error', '--update-notifier=false']
  const script = npmScript()
  const [command, all] = script === undefined ? ['npm', quiet] : [process.execPath, [script, ...quiet]]
  const done = spawnSync(command, all, {
    cwd,
    encoding: 'utf8',
    // npm is a .cmd file on Windows, which only a shell starts.
    shell: script === undefined && process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  })
  return { code: done.error === undefined ? (done.status ?? 1) : 127, text: `${done.stdout}${done.stderr}` }
}
