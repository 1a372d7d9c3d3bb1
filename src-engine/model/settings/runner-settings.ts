/** Settings of a runner: what it takes, how it holds it, and how it lets go. */

import { killGraceMs } from '../limits.ts'
import { day, hour, minute, second } from '../time.ts'
import { count, derivedSpan, flag, share, span, text, words } from './setting.ts'

/** Claims, leases, slots, stopping. */
export const runnerSettings = {
  claimTtlMs: span({
    name: 'claim_ttl',
    unit: 's',
    default: 300 * second,
    min: second,
    max: day,
    meaning:
      'How long a claim holds without renewal. Work of a runner that stops without a word is taken over after this at the latest.',
  }),
  heartbeatIntervalMs: derivedSpan({
    name: 'heartbeat_interval',
    unit: 's',
    example: 15 * second,
    derivedFrom: 'min(claim_ttl / 4, 15 s)',
    min: 1,
    max: hour,
    meaning: 'How often a runner writes its row and renews its leases. Must be well below claim_ttl.',
  }),
  heartbeatFailuresMax: count({
    name: 'heartbeat_failures_max',
    default: 3,
    min: 1,
    max: 100,
    meaning:
      'After this many failed renewals in a row a runner abandons its work, for its leases can’t be trusted.',
  }),
  stallLimitMs: span({
    name: 'stall_limit',
    unit: 's',
    default: 60 * second,
    min: second,
    max: day,
    meaning:
      'How long the heartbeat thread renews for an event loop that gives no sign of life. Beyond it the leases run out.',
  }),
  maxConcurrentTasks: count({
    name: 'max_concurrent_tasks',
    default: 16,
    min: 1,
    max: 10_000,
    meaning: 'The slots of a runner: how many steps it does at once.',
  }),
  batchSize: count({
    name: 'batch_size',
    default: 1,
    min: 1,
    max: 1_000,
    meaning:
      'How many candidates a runner fetches at least; it never claims more than it has free slots, and others may take what it only fetched.',
  }),
  agingIntervalMs: span({
    name: 'aging_interval',
    unit: 's',
    default: 300 * second,
    min: second,
    max: 365 * day,
    scope: 'store',
    meaning: 'Waiting work rises by one priority per this span, so that nothing starves.',
  }),
  pollIntervalMs: span({
    name: 'poll_interval',
    unit: 's',
    default: 5 * second,
    min: 10,
    max: hour,
    meaning:
      'How often a runner looks for work and due timers by itself; a wake-up comes earlier where one can.',
  }),
  pools: words({
    name: 'pools',
    default: ['default'],
    meaning: 'The pools that this runner belongs to: it takes work that is routed to one of them.',
  }),
  capabilities: words({
    name: 'capabilities',
    default: [],
    meaning: 'What this runner can do beside its task kinds: steps that require it come here.',
  }),
  tags: words({
    name: 'tags',
    default: [],
    meaning:
      'With tags a runner takes work whose tags are all among them, and work without tags. Without tags it takes all.',
  }),
  labels: words({
    name: 'labels',
    default: [],
    meaning: 'What placement constraints compare with, as name=value: node.zone=attic, placement.gpu=yes.',
  }),
  scriptPackages: words({
    name: 'script_packages',
    default: [],
    meaning:
      'Packages of npm, by name, that JavaScript steps may import; none unless they are named here. They run in the sandbox of the step.',
  }),
  scriptPackagesFolder: text({
    name: 'script_packages_folder',
    default: '',
    meaning:
      'The folder whose node_modules has these packages. Empty: the folder in which the engine was started.',
  }),
  stopWorkerOnTimeout: flag({
    name: 'stop_worker_on_timeout',
    default: false,
    meaning:
      'Whether a step that times out ends its whole `sagasmith runner`, as sayiir’s first workers did. Usually only the step ends.',
  }),
  stopGraceMs: span({
    name: 'stop_grace',
    unit: 's',
    default: 0,
    max: hour,
    meaning: 'How long a stopping runner lets steps end by themselves before it hands them back.',
  }),
  killGraceMs: span({
    name: 'kill_grace',
    unit: 's',
    default: killGraceMs,
    max: 10 * minute,
    meaning:
      'How long a process tree may take to end by itself after cancel or timeout, before it is killed.',
  }),
  overloadSlotsFraction: share({
    name: 'overload_slots_fraction',
    unit: 'fraction',
    default: 0.9,
    meaning:
      'A runner with at least this share of its slots taken leaves new work to others of its pools, if there are others; 1 turns it off.',
  }),
  overloadCpuPercent: share({
    name: 'overload_cpu_percent',
    unit: 'percent',
    default: 90,
    meaning:
      'A runner whose machine’s processors are busy to at least this leaves new work to others of its pools, if there are others on machines that are less busy and it has work of its own; 100 turns it off.',
  }),
  overloadGpuPercent: share({
    name: 'overload_gpu_percent',
    unit: 'percent',
    default: 90,
    meaning: 'The same for the graphics processor, where a runner knows how busy that is; 100 turns it off.',
  }),
} as const
