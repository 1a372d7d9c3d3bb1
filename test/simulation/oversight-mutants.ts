/** Planted bugs where people decide, and policies say what may be. */

import type { Checkpoint } from '../../src-engine/model/checkpoint.ts'
import type { JsonValue } from '../../src-engine/model/json.ts'
import { policyContentKey } from '../../src-engine/model/policy/policy-snapshots.ts'
import type { LoadQueries, Store } from '../../src-engine/store/store.ts'
import type { Oversight } from './oversight.ts'
import type { PlantedBug } from './planted-bug.ts'
import { rewriting, withFields } from './rewriting.ts'

const asks = ({ policy }: Oversight): boolean =>
  policy?.rules.some(({ decision }) => decision === 'REQUIRE_APPROVAL') === true
const denies = ({ policy }: Oversight): boolean =>
  policy?.rules.some(({ decision }) => decision === 'DENY') === true
const throttles = ({ policy }: Oversight): boolean =>
  policy?.rules.some(({ decision }) => decision === 'THROTTLE') === true
const holds = ({ output }: Oversight): boolean => (output?.held.length ?? 0) > 0
const scans = ({ output }: Oversight): boolean => (output?.scanned.length ?? 0) > 0
const isTogether = ({ visits }: Oversight): boolean => visits.some(({ people }) => people.length > 1)

/** `takes` is asked only of seeds with oversight. */
interface OversightBug extends Omit<PlantedBug, 'takes'> {
  readonly takes?: (oversight: Oversight) => boolean
}

/** Registers as the mutant's processes read them. */
const readingRegister =
  (prefix: string, change: (json: string) => string) =>
  (store: Store): Store => ({
    ...store,
    load: async (partition, kind, input) => {
      const loaded = await store.load(partition, kind, input)
      const isMeant = kind === 'register' && (input as { readonly key: string }).key.startsWith(prefix)
      if (!isMeant || loaded === null) return loaded
      const register = loaded as NonNullable<LoadQueries['register']['output']>
      return { ...register, value: JSON.parse(change(JSON.stringify(register.value))) as JsonValue } as never
    },
  })

/** Bugs in how a decision of a person is written. */
const decided = (checkpoint: Checkpoint): boolean => checkpoint.opId.startsWith('approval:')

const approvalBugs: readonly OversightBug[] = [
  {
    name: 'an approval is written as a rejection',
    noticedBy: ['I37'],
    store: rewriting((checkpoint) =>
      decided(checkpoint)
        ? withFields(checkpoint, ({ dispatch }) =>
            dispatch?.approval?.outcome === 'approved'
              ? { dispatch: { ...dispatch, approval: { ...dispatch.approval, outcome: 'rejected' } } }
              : {},
          )
        : checkpoint,
    ),
  },
  {
    name: 'who comes second is told that their word counts',
    noticedBy: ['I37'],
    takes: isTogether,
    engine: (engine) => {
      const { approvals } = engine
      const outcomes = { approve: 'approved', reject: 'rejected', 'push-back': 'changes' } as const
      return Object.assign(engine, {
        approvals: {
          ...approvals,
          decide: async (request: Parameters<typeof approvals.decide>[0]) => {
            const { by, answer } = request
            return approvals.decide(request).catch((thrown: { readonly code?: string }) => {
              if (thrown.code !== 'approval_already_decided') throw thrown
              const decision = { outcome: outcomes[answer], by, at: 0, comment: null, values: null }
              return { result: 'decided' as const, decided: decision }
            })
          },
        },
      })
    },
  },
  {
    name: 'what nobody decided in time counts as approved',
    noticedBy: ['I37'],
    store: rewriting((checkpoint) =>
      checkpoint.opId.startsWith('wake:')
        ? withFields(checkpoint, ({ dispatch }) =>
            dispatch?.approval?.outcome === 'expired'
              ? { dispatch: { ...dispatch, approval: { ...dispatch.approval, outcome: 'approved' } } }
              : {},
          )
        : checkpoint,
    ),
  },
]

const policyBugs: readonly OversightBug[] = [
  {
    name: 'what the policy denies goes on',
    noticedBy: ['I38'],
    takes: denies,
    store: readingRegister(policyContentKey(''), (json) => json.replaceAll('"DENY"', '"ALLOW"')),
  },
  {
    name: 'what the policy asks about goes on undecided',
    noticedBy: ['I38'],
    takes: asks,
    store: readingRegister(policyContentKey(''), (json) => json.replaceAll('"REQUIRE_APPROVAL"', '"ALLOW"')),
  },
  {
    name: 'being held up by the policy counts as a failure',
    noticedBy: ['I38'],
    takes: throttles,
    store: rewriting((checkpoint) =>
      withFields(checkpoint, ({ status, dispatch, failureCount }) =>
        status === 'REROUTED' && dispatch?.policy?.decision === 'THROTTLE'
          ? { failureCount: failureCount + 1 }
          : {},
      ),
    ),
  },
]

const outputBugs: readonly OversightBug[] = [
  {
    name: 'a result is handed on although a rule holds it back',
    noticedBy: ['I39'],
    takes: holds,
    store: readingRegister('output-policy', (json) => json.replaceAll('"quarantine"', '"allow"')),
  },
  {
    name: 'a result that is held back stays where everybody sees it',
    noticedBy: ['I39'],
    takes: holds,
    store: rewriting((checkpoint) =>
      withFields(checkpoint, ({ status, dispatch }) =>
        status === 'OUTPUT_QUARANTINED' ? { output: dispatch?.check?.held ?? null } : {},
      ),
    ),
  },
  {
    name: 'a look into a result finds nothing',
    noticedBy: ['I40'],
    takes: scans,
    store: readingRegister('output-policy', (json) => json.replaceAll('n[0-9]', 'n[A-Z]')),
  },
  {
    name: 'a look into a result is never ticked off',
    noticedBy: ['I40'],
    takes: scans,
    store: rewriting((checkpoint) => {
      const delivered = checkpoint.writes.delivered.filter((id) => !id.startsWith('scan:'))
      return { ...checkpoint, writes: { ...checkpoint.writes, delivered } }
    }),
  },
]

/** Bugs that only seeds with oversight can show. */
export const oversightBugs = [...approvalBugs, ...policyBugs, ...outputBugs].map(
  (bug): PlantedBug => ({
    ...bug,
    takes: ({ oversight }) => oversight !== null && bug.takes?.(oversight) !== false,
  }),
)
