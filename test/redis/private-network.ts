/**
 * A network of its own, for one campaign: the servers' side, a router, and one side for each runner. What is cut
 * is cut at the router, so both ends see what a broken network shows them: silence.
 *
 * Only for a process within `nest.ts`: all of it is gone with that process.
 */

import { execFile, spawn } from 'node:child_process'
import { readlinkSync } from 'node:fs'
import { promisify } from 'node:util'
import { until } from '../support/redis-servers.ts'

/** What of the packets between a runner and servers is lost. */
export type Lost = 'both ways' | 'to the runner' | 'from the runner'

/** One runner's place in it. */
export interface Island {
  /** What a command is started with to be there. */
  readonly prefix: readonly [string, ...string[]]
  /** From now on what is lost is lost, between it and this host, or all of the servers. */
  readonly cut: (lost: Lost, host?: string) => Promise<void>
  /** Everything goes through again. */
  readonly heal: () => Promise<void>
}

export interface PrivateNetwork {
  /** Addresses of this side: where servers may listen. */
  readonly hosts: readonly string[]
  readonly islands: readonly Island[]
}

const run = promisify(execFile)

/** Of the servers' side. */
const serversNet = '10.77.0.0/24'
const routerHost = '10.77.0.1'
const hostOf = (index: number): string => `10.77.0.${index + 11}`

/** Builds it around the calling process, which is at the servers' side. */
export async function buildNetwork(of: {
  readonly servers: number
  readonly runners: number
}): Promise<PrivateNetwork> {
  const hosts = Array.from({ length: of.servers }, (_, index) => hostOf(index))
  await run('ip', ['link', 'set', 'lo', 'up'])
  const router = await openNamespace()
  await run('ip', ['link', 'add', 'servers', 'type', 'veth', 'peer', 'name', 'servers', 'netns', router])
  for (const host of hosts) await run('ip', ['addr', 'add', `${host}/24`, 'dev', 'servers'])
  await run('ip', ['link', 'set', 'servers', 'up'])
  await run('ip', ['route', 'add', '10.77.0.0/16', 'via', routerHost])
  await within(router, ['ip', 'addr', 'add', `${routerHost}/24`, 'dev', 'servers'])
  await within(router, ['ip', 'link', 'set', 'servers', 'up'])
  await within(router, ['sh', '-c', 'echo 1 > /proc/sys/net/ipv4/ip_forward'])
  const islands: Island[] = []
  for (let index = 1; index <= of.runners; index += 1) islands.push(await addIsland(router, index))
  return { hosts, islands }
}

async function addIsland(router: string, index: number): Promise<Island> {
  const namespace = await openNamespace()
  const name = `runner${index}`
  const [own, gate] = [`10.77.${index}.2`, `10.77.${index}.1`]
  await within(router, [
    ...['ip', 'link', 'add', name, 'type', 'veth'],
    ...['peer', 'name', 'out', 'netns', namespace],
  ])
  await within(router, ['ip', 'addr', 'add', `${gate}/24`, 'dev', name])
  await within(router, ['ip', 'link', 'set', name, 'up'])
  await within(namespace, ['ip', 'link', 'set', 'lo', 'up'])
  await within(namespace, ['ip', 'addr', 'add', `${own}/24`, 'dev', 'out'])
  await within(namespace, ['ip', 'link', 'set', 'out', 'up'])
  await within(namespace, ['ip', 'route', 'add', 'default', 'via', gate])
  const rules = new Set<string>()
  const rule = (what: 'add' | 'del', words: string) =>
    within(router, ['ip', 'rule', what, ...words.split(' '), 'blackhole'])
  return {
    prefix: ['nsenter', '-t', namespace, '-n'],
    async cut(lost, host) {
      const servers = host === undefined ? serversNet : `${host}/32`
      const ways = [
        ...(lost === 'to the runner' ? [] : [`from ${own}/32 to ${servers}`]),
        ...(lost === 'from the runner' ? [] : [`from ${servers} to ${own}/32`]),
      ]
      for (const way of ways) {
        await rule('add', way)
        rules.add(way)
      }
    },
    async heal() {
      for (const way of rules) await rule('del', way)
      rules.clear()
    },
  }
}

const within = (namespace: string, [program = '', ...args]: readonly string[]) =>
  run('nsenter', ['-t', namespace, '-n', program, ...args])

/** A network namespace, named by the process that keeps it. */
async function openNamespace(): Promise<string> {
  const own = readlinkSync('/proc/self/ns/net')
  const keeper = spawn('unshare', ['--net', 'sleep', 'infinity'], { stdio: 'ignore' })
  const { pid } = keeper
  if (pid === undefined) throw new Error('unshare could not be started')
  await until('the namespace is there', async () => {
    try {
      return readlinkSync(`/proc/${pid}/ns/net`) !== own
    } catch {
      return false
    }
  })
  return String(pid)
}
