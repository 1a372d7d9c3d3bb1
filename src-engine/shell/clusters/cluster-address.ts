/**
 * The address of a cluster as people write it: `redis://host:6379,other:6380/workspace?durability=fast`. It
 * names nodes, a workspace and a way to write; never a password, for command lines and files are read by others.
 */

import { SagasmithError } from '../../model/errors.ts'
import type { DurabilityWish, RedisAddress } from '../../store/redis/redis-options.ts'

export interface ClusterAddress {
  readonly nodes: readonly RedisAddress[]
  readonly tls: boolean
  readonly username: string | null
  /** Begins every key, so that workspaces can share a cluster. */
  readonly workspace: string
  /** `as-served` where the address says nothing. */
  readonly durability: DurabilityWish
  /** Of a store that is made there; null for the usual number. One that is there keeps its own. */
  readonly partitions: number | null
  /** The secret of the vault that is the password; null where there is none, or the environment has it. */
  readonly passwordSecret: string | null
  /** PEM file of the authority; null for those that the system trusts. */
  readonly caFile: string | null
}

const schemes: Readonly<Record<string, boolean>> = { redis: false, rediss: true }
const defaultPort = 6_379
/** Each is looked at once a second by every runner. */
const partitionsMax = 4_096
const workspacePattern = /^[A-Za-z0-9_.-]{1,64}$/
const addressForm = 'redis://HOST:PORT[,HOST:PORT…][/WORKSPACE][?durability=fast]'

/** Whether a text means a cluster and not a file. */
export const isClusterAddress = (text: string): boolean => /^rediss?:\/\//.test(text)

/** The address with its password under another name of the vault; the same one where it names another, or none. */
export function withPasswordRenamed(
  address: string,
  { from, to }: { readonly from: string; readonly to: string },
): string {
  if (passwordOf(address) !== from) return address
  const begin = address.indexOf('?') + 1
  const given = new URLSearchParams(address.slice(begin))
  given.set('password', to)
  return address.slice(0, begin) + given.toString()
}

/** Null for what is no address, too: the book can be written by hand. */
function passwordOf(address: string): string | null {
  try {
    return parseClusterAddress(address).passwordSecret
  } catch {
    return null
  }
}

/** Reads an address. Throws `cluster_address_invalid`, which says what is wrong with it. */
export function parseClusterAddress(text: string): ClusterAddress {
  const match = /^(?<scheme>[a-z]+):\/\/(?:(?<user>[^@/]*)@)?(?<hosts>[^/?#]+)(?<rest>[/?].*)?$/.exec(text)
  const { scheme = '', user, hosts = '', rest = '' } = match?.groups ?? {}
  const tls = Object.hasOwn(schemes, scheme) ? schemes[scheme] : undefined
  if (tls === undefined) throw invalid(text, 'it has another form')
  if (user?.includes(':') === true) {
    throw invalid(
      // The password must not be told again.
      text.replace(/\/\/[^@]*@/, '//…@'),
      'a password does not belong in an address',
      'Put it into the vault (`sagasmith secrets set NAME`) and name it with ?password=NAME, or give it in the environment variable SAGASMITH_REDIS_PASSWORD.',
    )
  }
  const url = new URL(rest === '' ? '/' : rest.replace(/^\?/, '/?'), 'redis://local')
  return {
    nodes: hosts.split(',').map((host) => nodeOf(text, host)),
    tls,
    username: user === undefined || user === '' ? null : decodeURIComponent(user),
    workspace: workspaceOf(text, decodeURIComponent(url.pathname.slice(1))),
    ...optionsOf(text, url.searchParams),
  }
}

function nodeOf(text: string, host: string): RedisAddress {
  const match = /^(?<name>\[[0-9a-fA-F:.]+\]|[^:[\]]+)(?::(?<port>\d{1,5}))?$/.exec(host)
  const { name, port } = match?.groups ?? {}
  const number = port === undefined ? defaultPort : Number(port)
  if (name === undefined || number < 1 || number > 65_535) throw invalid(text, `“${host}” is no HOST:PORT`)
  return { host: name.replace(/^\[|\]$/g, ''), port: number }
}

function workspaceOf(text: string, name: string): string {
  if (name === '') return 'sagasmith'
  if (workspacePattern.test(name)) return name
  throw invalid(text, `“${name}” is no name of a workspace: letters, digits, and . _ - are`)
}

function optionsOf(
  text: string,
  given: URLSearchParams,
): Pick<ClusterAddress, 'durability' | 'partitions' | 'passwordSecret' | 'caFile'> {
  for (const key of given.keys()) {
    if (!['durability', 'partitions', 'password', 'ca'].includes(key))
      throw invalid(text, `there is no option “${key}”`)
  }
  const durability = given.get('durability') ?? undefined
  if (durability !== 'safe' && durability !== 'fast' && durability !== undefined) {
    throw invalid(text, `durability is safe or fast, not “${durability}”`)
  }
  return {
    durability: durability ?? 'as-served',
    partitions: partitionsOf(text, given.get('partitions')),
    passwordSecret: given.get('password'),
    caFile: given.get('ca'),
  }
}

function partitionsOf(text: string, given: string | null): number | null {
  if (given === null) return null
  const count = /^\d{1,4}$/.test(given) ? Number(given) : 0
  if (count >= 1 && count <= partitionsMax) return count
  throw invalid(text, `partitions is a number from 1 to ${partitionsMax}, not “${given}”`)
}

const invalid = (
  text: string,
  what: string,
  hint = `Write it as ${addressForm}, with rediss:// for an encrypted connection.`,
): SagasmithError =>
  new SagasmithError('cluster_address_invalid', {
    message: `“${text}” is no address of a cluster: ${what}.`,
    hint,
    details: { usage: true },
  })
