/** Which keys a server may show: lines of a `known_hosts` file, bare public keys, or fingerprints. */

import { createHash, createHmac } from 'node:crypto'
import { SagasmithError } from '../../model/errors.ts'

/** What is known of a server. */
export interface KnownKeys {
  readonly isKnown: (key: Uint8Array) => boolean
  /** Kinds of keys to ask the server for; null for all that are safe. */
  readonly algorithms: readonly HostKeyAlgorithm[] | null
}

export type HostKeyAlgorithm = (typeof safeAlgorithms)[number]

/** Without those that sign by SHA-1. */
export const safeAlgorithms = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
] as const

export interface KnownPlace {
  readonly host: string
  readonly port: number
}

/** As OpenSSH tells it. */
export const fingerprintOf = (key: Uint8Array): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`

interface KnownKey {
  readonly fingerprint: string
  /** Null for one that is known by its fingerprint alone. */
  readonly type: string | null
  readonly isRevoked: boolean
}

/** Reads what is known of a server. Throws `task_input_invalid` for lines that say nothing, and for no key. */
export function knownKeys(text: string, place: KnownPlace): KnownKeys {
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  const found = lines.flatMap((line) => (line === '' || line.startsWith('#') ? [] : keysOf(line, place)))
  const revoked = new Set(found.filter((key) => key.isRevoked).map(({ fingerprint }) => fingerprint))
  const good = found.filter((key) => !key.isRevoked && !revoked.has(key.fingerprint))
  if (good.length === 0) throw invalid(`No key of ${place.host} is among those that are known.`)
  const fingerprints = new Set(good.map(({ fingerprint }) => fingerprint))
  return {
    isKnown: (key) => fingerprints.has(fingerprintOf(key)),
    algorithms: good.some(({ type }) => type === null) ? null : algorithmsOf(good),
  }
}

/** A server with several keys is to show one that is known. */
function algorithmsOf(keys: readonly KnownKey[]): readonly HostKeyAlgorithm[] {
  const types = new Set(keys.map(({ type }) => type))
  return safeAlgorithms.filter((name) => types.has(name.startsWith('rsa-') ? 'ssh-rsa' : name))
}

const keyType = /^(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(256|384|521))$/

function keysOf(line: string, place: KnownPlace): readonly KnownKey[] {
  if (/^SHA256:[A-Za-z0-9+/]{43}=?$/.test(line))
    return [{ fingerprint: line.replace(/=$/, ''), type: null, isRevoked: false }]
  const words = line.split(/\s+/)
  const marker = words[0]?.startsWith('@') === true ? words.shift() : undefined
  if (marker !== undefined && marker !== '@revoked')
    throw invalid(`Lines with ${marker} are not understood: name the key of the server itself.`)
  const names = keyType.test(words[0] ?? '') ? null : words.shift()
  const [type = '', encoded = ''] = words
  const key = Buffer.from(encoded, 'base64')
  // The key says its own type first.
  const isWhole = key.length > 20 && key.subarray(4, 4 + type.length).toString('latin1') === type
  if (!keyType.test(type) || !isWhole)
    throw invalid(`“${line.slice(0, 60)}” is no line of known_hosts, no public key and no fingerprint.`)
  if (names !== null && names !== undefined && !isMeant(names, place)) return []
  return [{ fingerprint: fingerprintOf(key), type, isRevoked: marker === '@revoked' }]
}

/** Whether the first word of a line means this server: names with stars, `[name]:port`, or hashed ones. */
function isMeant(names: string, { host, port }: KnownPlace): boolean {
  const bare = host.toLowerCase().replace(/^\[|\]$/g, '')
  const own = port === 22 ? [bare, `[${bare}]:22`] : [`[${bare}]:${port}`]
  const hashed = /^\|1\|([^|]+)\|([^|]+)$/.exec(names)
  if (hashed !== null) {
    const [, salt = '', hash = ''] = hashed
    return own.some(
      (name) => createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest('base64') === hash,
    )
  }
  const patterns = names.toLowerCase().split(',')
  const fits = (pattern: string): boolean => own.some((name) => fitsPattern(name, pattern))
  if (patterns.some((pattern) => pattern.startsWith('!') && fits(pattern.slice(1)))) return false
  return patterns.some(fits)
}

/** `*` stands for any letters, `?` for one; walked without a regular expression of somebody else's making. */
function fitsPattern(name: string, pattern: string): boolean {
  let [at, from, star, back] = [0, 0, -1, 0]
  while (at < name.length) {
    if (from < pattern.length && (pattern[from] === '?' || pattern[from] === name[at])) {
      at += 1
      from += 1
    } else if (pattern[from] === '*') {
      star = from
      back = at
      from += 1
    } else if (star !== -1) {
      from = star + 1
      back += 1
      at = back
    } else return false
  }
  return pattern.slice(from).replaceAll('*', '') === ''
}

const invalid = (message: string): SagasmithError =>
  new SagasmithError('task_input_invalid', {
    message,
    hint: 'Ask the server’s owner for its fingerprint, or compare what ssh-keyscan prints with theirs.',
    details: { field: 'hostKeys' },
  })
