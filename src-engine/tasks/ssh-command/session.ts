/** One connection of a step's own: signs in to a server whose key is known, runs one command, and closes. */

import type { Client, ClientChannel, ConnectConfig } from 'ssh2'
import { SagasmithError } from '../../model/errors.ts'
import type { EffectLeft } from '../deadline.ts'
import type { Ending } from '../program-end.ts'
import type { ServerPlace } from '../reachable-host.ts'
import type { OutputReader } from '../shell-command/output-reader.ts'
import { fingerprintOf, knownKeys, safeAlgorithms } from './host-keys.ts'
import type { SshCommandParameters } from './spec.ts'

export interface RemoteCommand {
  readonly line: string
  readonly stdin: string
  readonly stdout: OutputReader
  readonly stderr: OutputReader
  readonly effect: EffectLeft
  readonly signal: AbortSignal
}

/** A line that nobody answers on is dead after so many of these. */
const keepaliveMs = 10_000
const keepaliveCountMax = 3

/** Resolves when the program has ended and all it printed was read. */
export async function ranOverSsh(
  parameters: SshCommandParameters,
  place: ServerPlace,
  command: RemoteCommand,
): Promise<Ending> {
  const known = knownKeys(parameters.hostKeys, place)
  // Loaded with the first command; nothing else needs it.
  const { default: ssh } = await import('ssh2')
  const client = new ssh.Client()
  const seen: { refused: string | null; channel: ClientChannel | null } = { refused: null, channel: null }
  const stop = (): void => {
    // Servers that know signals end the program; for others nobody listens to it any more.
    seen.channel?.signal('TERM')
    client.destroy()
  }
  command.signal.addEventListener('abort', stop, { once: true })
  try {
    command.signal.throwIfAborted()
    await signedIn(client, {
      ...configOf(parameters, place),
      algorithms: { serverHostKey: [...(known.algorithms ?? safeAlgorithms)] },
      hostVerifier: (key: Buffer): boolean => {
        if (known.isKnown(key)) return true
        seen.refused = fingerprintOf(key)
        return false
      },
    })
    return await ran(client, command, (channel) => (seen.channel = channel))
  } catch (thrown) {
    throw seen.refused === null ? sshError(thrown, place) : keyRefused(place, seen.refused)
  } finally {
    command.signal.removeEventListener('abort', stop)
    client.destroy()
  }
}

function configOf(
  { user, password, privateKey, passphrase }: SshCommandParameters,
  { address, port }: ServerPlace,
): ConnectConfig {
  return {
    host: address,
    port,
    username: user,
    ...(password === '' ? {} : { password }),
    // Forms take the line break at the end of a pasted key away.
    ...(privateKey === '' ? {} : { privateKey: `${privateKey.trim()}\n` }),
    ...(passphrase === '' ? {} : { passphrase }),
    // The step's own timeout is what counts.
    readyTimeout: 0,
    keepaliveInterval: keepaliveMs,
    keepaliveCountMax,
  }
}

function signedIn(client: Client, config: ConnectConfig): Promise<void> {
  return new Promise((resolve, reject) => {
    client.once('ready', resolve)
    client.once('error', reject)
    client.once('close', () => reject(new Error('The connection was closed')))
    try {
      client.connect(config)
    } catch (thrown) {
      // Its words may hold pieces of the key.
      reject(unreadableKey(thrown))
    }
  })
}

function ran(
  client: Client,
  command: RemoteCommand,
  opened: (channel: ClientChannel) => void,
): Promise<Ending> {
  const { line, stdin, stdout, stderr, effect } = command
  return new Promise((resolve, reject) => {
    client.on('error', reject)
    client.once('close', () => reject(new Error('The connection was closed before the program had ended')))
    effect.isOpen = true
    client.exec(line, (error, channel) => {
      if (error !== undefined) {
        effect.isOpen = false
        reject(error)
        return
      }
      opened(channel)
      follow(channel, { stdout, stderr }, (ending) => {
        if (ending === null) reject(new Error('The server didn’t say how the program ended'))
        else {
          effect.isOpen = false
          resolve(ending)
        }
      })
      // A program that doesn't read its input closes it; that is its own decision.
      channel.on('error', () => {})
      channel.end(stdin)
    })
  })
}

function follow(
  channel: ClientChannel,
  { stdout, stderr }: Pick<RemoteCommand, 'stdout' | 'stderr'>,
  ended: (ending: Ending | null) => void,
): void {
  let ending: Ending | null = null
  channel.on('data', (chunk: Buffer) => stdout.push(chunk))
  channel.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
  channel.on('exit', (code: number | null, signal?: string) => {
    ending = { code, signal: signal ?? null }
  })
  channel.on('close', () => {
    stdout.end()
    stderr.end()
    ended(ending)
  })
}

const unreadableKey = (cause: unknown): SagasmithError =>
  new SagasmithError('task_input_invalid', {
    message: 'The private key can’t be read with the passphrase that is given.',
    hint: 'It is in the form of OpenSSH or PEM, whole, with its first and last line.',
    details: { field: 'privateKey', reason: cause instanceof Error ? cause.name : 'unknown' },
  })

const keyRefused = ({ host }: ServerPlace, fingerprint: string): SagasmithError =>
  new SagasmithError('host_key_unknown', {
    message: `${host} shows the key ${fingerprint}, which is none of those that are known.`,
    details: { host, fingerprint },
  })

function sshError(thrown: unknown, { host }: ServerPlace): unknown {
  if (thrown instanceof SagasmithError || !(thrown instanceof Error)) return thrown
  const level = 'level' in thrown ? String(thrown.level) : ''
  if (level === 'client-authentication') {
    return new SagasmithError('sign_in_refused', {
      message: `${host} did not let the step sign in.`,
      details: { host },
      cause: thrown,
    })
  }
  const reason = 'code' in thrown ? String(thrown.code) : level === '' ? thrown.name : level
  return new SagasmithError('connection_failed', {
    message: `${host}: ${thrown.message}`,
    details: { host, reason },
    cause: thrown,
  })
}
