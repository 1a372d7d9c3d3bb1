/** A server of SSH on loopback, whose commands a real shell runs. */

import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { AuthContext, Connection } from 'ssh2'
import ssh from 'ssh2'

export interface SshServer {
  readonly port: number
  /** Its key as a line of a file of public keys: `ssh-ed25519 AAAA…`. */
  readonly publicKey: string
  /** Commands as they came in. */
  readonly lines: readonly string[]
  readonly close: () => Promise<void>
}

export interface SshKeys {
  readonly privateKey: string
  readonly publicKey: string
}

/** A new pair in the form of OpenSSH, or of PEM. */
export function sshKeys(kind: 'ed25519' | 'rsa' = 'ed25519'): SshKeys {
  if (kind === 'ed25519') {
    const { private: privateKey, public: publicKey } = ssh.utils.generateKeyPairSync('ed25519')
    return { privateKey, publicKey: publicKey.trim() }
  }
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const text = privateKey.export({ type: 'pkcs1', format: 'pem' })
  const parsed = ssh.utils.parseKey(text)
  if (parsed instanceof Error) throw parsed
  return { privateKey: String(text), publicKey: `ssh-rsa ${parsed.getPublicSSH().toString('base64')}` }
}

/** `user` signs in by the password `pass`, or by the key that is given. */
export async function sshServer(
  options: { readonly keys?: SshKeys; readonly authorized?: string } = {},
): Promise<SshServer> {
  const { keys = sshKeys(), authorized } = options
  const lines: string[] = []
  const children = new Set<ChildProcess>()
  const clients = new Set<Connection>()
  const server = new ssh.Server({ hostKeys: [keys.privateKey] }, (client) => {
    clients.add(client)
    client.on('error', () => {})
    client.on('close', () => clients.delete(client))
    client.on('authentication', (asked) => (mayEnter(asked, authorized) ? asked.accept() : asked.reject()))
    client.on('session', (accept) => {
      accept().on('exec', (acceptExec, _reject, { command }) => {
        lines.push(command)
        const channel = acceptExec()
        const child = spawn('/bin/sh', ['-c', command], { stdio: ['pipe', 'pipe', 'pipe'] })
        children.add(child)
        child.stdin.on('error', () => {})
        channel.on('error', () => {})
        channel.pipe(child.stdin)
        child.stdout.on('data', (chunk: Buffer) => channel.write(chunk))
        child.stderr.on('data', (chunk: Buffer) => channel.stderr.write(chunk))
        child.once('close', (code, signal) => {
          children.delete(child)
          if (code === null) channel.exit((signal ?? 'KILL').replace('SIG', ''))
          else channel.exit(code)
          channel.end()
        })
        channel.on('close', () => child.kill('SIGKILL'))
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    // It listens on a port, and not on a pipe.
    port: (server.address() as AddressInfo).port,
    publicKey: keys.publicKey,
    lines,
    close: () =>
      new Promise((resolve) => {
        for (const child of children) child.kill('SIGKILL')
        for (const client of clients) client.end()
        server.close(() => resolve())
      }),
  }
}

function mayEnter(asked: AuthContext, authorized: string | undefined): boolean {
  if (asked.username !== 'user') return false
  if (asked.method === 'password') return asked.password === 'pass'
  if (asked.method !== 'publickey' || authorized === undefined) return false
  const key = ssh.utils.parseKey(authorized)
  if (key instanceof Error || !key.getPublicSSH().equals(asked.key.data)) return false
  if (asked.signature === undefined || asked.blob === undefined) return true
  // It may answer an error too.
  const isSigned: unknown = key.verify(asked.blob, asked.signature, asked.hashAlgo)
  return isSigned === true
}
