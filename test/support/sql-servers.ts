/**
 * Database servers of our own on the loopback: PostgreSQL and MariaDB, each with a random port, a certificate
 * of an authority that only the test knows, and a folder that goes with it. A machine without them fails, with
 * words.
 */

import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAuthority } from './certificates.ts'
import { freePort, until } from './redis-servers.ts'

export interface SqlServer {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
  /** PEM of the authority that vouches for it. */
  readonly authority: string
  readonly stop: () => Promise<void>
}

/** What their certificates are for; a test resolves it. */
export const sqlHost = 'db.example'
/** Where they listen. */
export const sqlAddress = '127.0.0.1'
const password = 'for-tests-4711'

/** Neither server runs as root: there it is `nobody` who does. */
const other = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

const started = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of started) child.kill('SIGKILL')
})

function programOf(name: string, aptPackage: string): string {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : []
  const folders = [
    ...versions.map((version) => join('/usr/lib/postgresql', version, 'bin')),
    ...['/usr/sbin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'],
  ]
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
  if (found !== undefined) return found
  throw new Error(`${name} is not installed, and tests need it: sudo apt-get install ${aptPackage}.`)
}

function prepared(program: string, args: readonly string[], cwd: string): void {
  const done = spawnSync(program, args, { ...other, cwd, encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`${program}: ${done.stdout}\n${done.stderr}`)
}

function folderOf(name: string): { readonly folder: string; readonly authority: string } {
  const folder = mkdtempSync(join(tmpdir(), `sagasmith-${name}-`))
  const authority = createAuthority()
  const { cert, key } = authority.certify(sqlHost)
  for (const [file, text] of Object.entries({ 'cert.pem': cert, 'key.pem': key, 'ca.pem': authority.cert })) {
    writeFileSync(join(folder, file), text, { mode: 0o600 })
    if (other.uid !== undefined) chownSync(join(folder, file), other.uid, other.gid)
  }
  if (other.uid !== undefined) chownSync(folder, other.uid, other.gid)
  return { folder, authority: authority.cert }
}

function launched(program: string, args: readonly string[], folder: string) {
  const child = spawn(program, args, { ...other, cwd: folder, stdio: 'ignore' })
  started.add(child)
  const stop = async (): Promise<void> => {
    started.delete(child)
    const gone = new Promise((resolve) => child.once('exit', resolve))
    // SIGQUIT: PostgreSQL ends at once, and all its processes with it.
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGQUIT')
      await gone
    }
    rmSync(folder, { recursive: true, force: true })
  }
  return { child, stop }
}

/** A PostgreSQL server; `answers` tells when a client gets through. */
export async function startPostgres(
  answers: (server: Omit<SqlServer, 'stop'>) => Promise<boolean>,
): Promise<SqlServer> {
  const { folder, authority } = folderOf('postgres')
  const data = join(folder, 'data')
  writeFileSync(join(folder, 'password'), password, { mode: 0o644 })
  const init = ['-D', data, '-U', 'tester', '-A', 'scram-sha-256', '--pwfile', join(folder, 'password')]
  prepared(programOf('initdb', 'postgresql'), [...init, '-E', 'UTF8', '--no-sync'], folder)
  const port = await freePort(sqlAddress)
  const settings = {
    listen_addresses: sqlAddress,
    port,
    unix_socket_directories: '',
    fsync: 'off',
    ssl: 'on',
    ssl_cert_file: join(folder, 'cert.pem'),
    ssl_key_file: join(folder, 'key.pem'),
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const { stop } = launched(programOf('postgres', 'postgresql'), ['-D', data, ...args], folder)
  const server = { host: sqlHost, port, user: 'tester', password, database: 'postgres', authority }
  await until('PostgreSQL answers', () => answers(server))
  return { ...server, stop }
}

/** A MariaDB server. */
export async function startMariaDb(
  answers: (server: Omit<SqlServer, 'stop'>) => Promise<boolean>,
): Promise<SqlServer> {
  const { folder, authority } = folderOf('mariadb')
  const data = join(folder, 'data')
  const first = join(folder, 'first.sql')
  const words = [
    `CREATE USER tester@'%' IDENTIFIED BY '${password}';`,
    'CREATE DATABASE shop;',
    "GRANT ALL ON shop.* TO tester@'%';",
  ]
  writeFileSync(first, words.join('\n'), { mode: 0o644 })
  const fresh = ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal']
  prepared(programOf('mariadb-install-db', 'mariadb-server'), [...fresh, '--skip-test-db'], folder)
  const port = await freePort(sqlAddress)
  const args = [
    ...['--no-defaults', `--datadir=${data}`, `--port=${port}`, `--bind-address=${sqlAddress}`],
    ...[`--socket=${join(folder, 'socket')}`, `--pid-file=${join(folder, 'pid')}`, '--skip-log-bin'],
    ...[`--ssl-cert=${join(folder, 'cert.pem')}`, `--ssl-key=${join(folder, 'key.pem')}`],
    ...[`--ssl-ca=${join(folder, 'ca.pem')}`, `--init-file=${first}`],
    ...['--innodb-flush-log-at-trx-commit=0', '--innodb-buffer-pool-size=16M'],
  ]
  const { child } = launched(programOf('mariadbd', 'mariadb-server'), args, folder)
  const server = { host: sqlHost, port, user: 'tester', password, database: 'shop', authority }
  await until('MariaDB answers', () => answers(server))
  const stop = async (): Promise<void> => {
    started.delete(child)
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
    rmSync(folder, { recursive: true, force: true })
  }
  return { ...server, stop }
}
