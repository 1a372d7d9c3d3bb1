/** What `doctor --cluster` says of the servers and of where the partitions are. */

import type { InspectedServer, Inspection, ServerState } from '../../store/redis/inspect.ts'
import { spreadOf } from '../../store/redis/spread.ts'
import type { Finding } from './doctor-finding.ts'
import { spreadText } from './spread-text.ts'

const gigabyte = 1_000_000_000
/** Of `maxmemory`: a slot that moves in, or an afternoon of large payloads, takes the rest. */
const memoryWarn = 0.75
const memoryFail = 0.95
/** Leases last tens of seconds: what differs by less takes nothing from anybody. */
const clockWarnMs = 500
/** A step is some round trips: slower ones are felt. */
const scriptWarnMs = 20

/** Findings on each master, one check after the other, then on the partitions. */
export function serverFindings(inspection: Inspection): readonly Finding[] {
  const { isCluster, servers, partitions } = inspection
  const count = servers.length === 1 ? 'one master' : `${servers.length} masters`
  const words = isCluster ? `a cluster of ${count}` : 'a server alone'
  return [
    { check: 'servers', verdict: 'ok', message: words, hint: null },
    ...servers.flatMap(ofServer),
    ...clockFinding(servers),
    ...placeFindings(inspection),
    sentinelFinding(partitions),
  ]
}

function ofServer(server: InspectedServer): readonly Finding[] {
  const { address } = server
  if (server.kind === 'failed') {
    const { message, hint } = server.error
    return [{ check: address, verdict: 'fail', message, hint }]
  }
  const { state } = server
  const about = [versionOf(state), memoryOf(state), diskOf(state), replicasOf(state), rightsOf(state)]
  return [...about, spanOf(state)].map((finding) => ({
    ...finding,
    check: `${address} ${finding.check}`,
  }))
}

function versionOf({ version }: ServerState): Finding {
  const isOld = Number.parseInt(version, 10) < 7
  const hint = isOld ? 'Use Redis 7.0 or newer.' : null
  return { check: 'version', verdict: isOld ? 'fail' : 'ok', message: `Redis ${version}`, hint }
}

function memoryOf({ usedBytes, maxBytes, evictionPolicy }: ServerState): Finding {
  if (evictionPolicy !== 'noeviction') {
    const message = `maxmemory-policy ${evictionPolicy} throws runs away when the memory is full`
    return { check: 'memory', verdict: 'fail', message, hint: 'Set maxmemory-policy noeviction.' }
  }
  const used = `${(usedBytes / gigabyte).toFixed(2)} GB`
  if (maxBytes === 0) {
    const message = `${used} used, no maxmemory: the system ends the server when the machine is full`
    const hint = 'Set maxmemory to what the machine can spare, with room for a copy while it saves.'
    return { check: 'memory', verdict: 'warn', message, hint }
  }
  const share = usedBytes / maxBytes
  const verdict = share > memoryFail ? 'fail' : share > memoryWarn ? 'warn' : 'ok'
  const message = `${used} of ${(maxBytes / gigabyte).toFixed(2)} GB used (${Math.round(share * 100)} %), noeviction`
  const hint = verdict === 'ok' ? null : 'Raise maxmemory, add masters, or prune sooner (retention settings).'
  return { check: 'memory', verdict, message, hint }
}

function diskOf({ appendOnly, appendFsync, diskIsWell }: ServerState): Finding {
  if (!diskIsWell) {
    const message = 'the last write to disk failed'
    return { check: 'disk', verdict: 'fail', message, hint: 'Look at the log of the server and its disk.' }
  }
  if (!appendOnly) {
    const message = 'appendonly no: a server that starts again has lost what is newer than its last snapshot'
    return { check: 'disk', verdict: 'warn', message, hint: 'Set appendonly yes.' }
  }
  if (appendFsync === null) {
    const message = 'appendonly yes; appendfsync unknown, for the user may not read the configuration'
    return { check: 'disk', verdict: 'ok', message, hint: null }
  }
  const isLazy = appendFsync === 'no'
  const hint = isLazy ? 'Set appendfsync everysec, or always.' : null
  const message = `appendonly yes, appendfsync ${appendFsync}`
  return { check: 'disk', verdict: isLazy ? 'warn' : 'ok', message, hint }
}

function replicasOf({ replicas }: ServerState): Finding {
  if (replicas > 0) {
    const message = replicas === 1 ? 'one replica' : `${replicas} replicas`
    return { check: 'replicas', verdict: 'ok', message, hint: null }
  }
  const message = 'no replica: nothing here can be safe, and nobody takes over'
  return { check: 'replicas', verdict: 'warn', message, hint: 'Give the master a replica.' }
}

function rightsOf({ missingRights }: ServerState): Finding {
  if (missingRights.length === 0) {
    return { check: 'rights', verdict: 'ok', message: 'the user may do all that is needed', hint: null }
  }
  const message = `the user may not do ${missingRights.join(', ')}`
  const hint = 'Give it the rights that docs/redis.md lists, on every node: ACL SETUSER is not spread.'
  return { check: 'rights', verdict: 'fail', message, hint }
}

function spanOf({ scriptMs }: ServerState): Finding {
  const isSlow = scriptMs > scriptWarnMs
  const message = `a script takes ${scriptMs.toFixed(1)} ms, there and back`
  const hint = isSlow ? 'Look at the load of the server, its slow log, and the way to it.' : null
  return { check: 'script', verdict: isSlow ? 'warn' : 'ok', message, hint }
}

/** Clocks of the servers, against each other and the one here; one finding. */
function clockFinding(servers: readonly InspectedServer[]): readonly Finding[] {
  const clocks = servers.flatMap((server) => (server.kind === 'answered' ? [server.state] : []))
  if (clocks.length === 0) return []
  const ahead = clocks.map(({ clockAheadMs }) => clockAheadMs)
  const doubtMs = Math.max(...clocks.map(({ clockDoubtMs }) => clockDoubtMs))
  const spreadMs = Math.max(...ahead) - Math.min(...ahead)
  const farMs = Math.max(...ahead.map(Math.abs))
  const isFar = Math.max(spreadMs, farMs) > clockWarnMs + doubtMs
  const message = `up to ${farMs} ms from the one here, ${spreadMs} ms from each other (± ${doubtMs} ms)`
  const hint = isFar ? 'Have all machines set by NTP: leases and timers go by these clocks.' : null
  return [{ check: 'clocks', verdict: isFar ? 'warn' : 'ok', message, hint }]
}

/** How the partitions are spread over the masters, those included that have none; and whether any is nowhere. */
function placeFindings({
  isCluster,
  servers,
  idleMasters,
  partitions,
}: Pick<Inspection, 'isCluster' | 'servers' | 'idleMasters' | 'partitions'>): readonly Finding[] {
  const masters = [...servers.map(({ address }) => address), ...idleMasters]
  const placed = partitions.map(({ partition, slot, address }) => {
    return { slot, partitions: [partition], master: address }
  })
  const spread = spreadOf(placed, masters)
  const remedy = spread.isUneven
    ? '`sagasmith clusters rebalance` tells which slots to move, and with --apply moves them.'
    : null
  const verdict = spread.isUneven ? 'warn' : 'ok'
  const findings: readonly Finding[] = isCluster
    ? [{ check: 'spread', verdict, message: spreadText(spread), hint: remedy }]
    : []
  const lost = partitions.filter(({ address }) => address === null)
  if (lost.length === 0) return findings
  const message = `nobody serves ${lost.map(({ partition, slot }) => `${partition} (slot ${slot})`).join(', ')}`
  const hint = 'Bring back the master that has these slots, or its replica.'
  return [...findings, { check: 'partitions', verdict: 'fail', message, hint }]
}

/** Each partition has a head that names the store: one that lacks it, or names another, is never written to. */
function sentinelFinding(partitions: Inspection['partitions']): Finding {
  const heads = partitions.flatMap(({ head }) => (head !== null && 'seq' in head ? [head] : []))
  const unread = partitions.filter(({ head }) => head !== null && !('seq' in head))
  const [home] = heads
  if (unread.length > 0) {
    const message = `${numbers(unread)} can’t be read`
    return { check: 'heads', verdict: 'fail', message, hint: 'Look at the masters that serve them.' }
  }
  if (home === undefined) {
    return { check: 'heads', verdict: 'ok', message: 'there is no store yet', hint: null }
  }
  const missing = partitions.filter(({ head }) => head === null)
  const isMade = heads.some(({ made }) => made)
  if (missing.length > 0 && isMade) {
    const message = `partition ${numbers(missing)} of the store ${home.id} is gone`
    const hint = 'A master came back without its data: restore it from a backup.'
    return { check: 'heads', verdict: 'fail', message, hint }
  }
  const foreign = heads.filter(({ id }) => id !== home.id).length
  if (foreign > 0) {
    const message = `${foreign} partitions belong to another store than ${home.id}`
    return { check: 'heads', verdict: 'fail', message, hint: 'Two stores share a prefix: restore one.' }
  }
  const epochs = Math.max(...heads.map(({ epoch }) => epoch)) - 1
  const led = epochs === 0 ? '' : `; the server that leads changed ${epochs} times at most`
  const message = `store ${home.id}, all ${partitions.length} partitions have theirs${led}`
  return { check: 'heads', verdict: 'ok', message, hint: null }
}

const numbers = (partitions: Inspection['partitions']): string =>
  partitions.map(({ partition }) => partition).join(', ')
