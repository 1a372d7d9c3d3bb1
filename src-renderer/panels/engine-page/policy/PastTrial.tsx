/** What the rules would have said about the steps of past runs. */

import { History } from 'lucide-react'
import { useId, useState } from 'react'
import type { WorkflowId } from '../../../../src-engine/model/ids.ts'
import { nodeId as asNodeId } from '../../../../src-engine/model/ids.ts'
import type { JsonValue } from '../../../../src-engine/model/json.ts'
import type { PolicyDocument } from '../../../../src-engine/model/policy/policy.ts'
import type { PolicyDifference, PolicyReplay } from '../../../../src-engine/protocol/policy.ts'
import { useDesigner, useDocument, useLine } from '../../../state/context.ts'
import { attempt } from '../../../state/designer.ts'
import { showRunOf } from '../../../state/show-run.ts'
import { fill } from '../../../text/messages.ts'
import { policyWords } from '../../../text/policy-words.ts'
import { Button } from '../../../ui/Button.tsx'
import controls from '../../../ui/controls.module.css'
import page from '../EnginePage.module.css'
import styles from './Policy.module.css'
import { ruleTitle } from './policy-edits.ts'

const words = policyWords.tryOut
const runsMax = 500
const runsUsual = 100

export interface TrialProps {
  /** The rules as they are edited; null for those in effect. */
  readonly candidate: JsonValue
  readonly policy: PolicyDocument
}

export function PastTrial({ candidate, policy }: TrialProps) {
  const designer = useDesigner()
  const line = useLine()
  const open = useDocument((state) => state.history?.document ?? null)
  const ids = { which: useId(), limit: useId() }
  const [workflowId, setWorkflowId] = useState<WorkflowId | null>(null)
  const [limit, setLimit] = useState(runsUsual)
  const [isAsked, setAsked] = useState(false)
  const [found, setFound] = useState<PolicyReplay | null>(null)
  const ask = async (): Promise<void> => {
    setAsked(true)
    const input = { policy: candidate, workflowId, limit }
    setFound(await attempt(designer, () => line.call('policy.replay', input)))
    setAsked(false)
  }
  return (
    <section className={styles['trial']} aria-labelledby={`${ids.which}-title`}>
      <h2 id={`${ids.which}-title`}>{words.past}</h2>
      <p>{candidate === null ? words.pastHint.current : words.pastHint.draft}</p>
      <form
        className={styles['asked']}
        onSubmit={(event) => {
          event.preventDefault()
          void ask()
        }}
      >
        <label htmlFor={ids.which}>
          {words.which}
          <select
            id={ids.which}
            className={controls['field']}
            value={workflowId ?? ''}
            onChange={({ currentTarget: { value } }) => setWorkflowId(value === open?.id ? open.id : null)}
          >
            <option value="">{words.all}</option>
            {open !== null && <option value={open.id}>{fill(words.open, { title: open.title })}</option>}
          </select>
        </label>
        <label htmlFor={ids.limit}>
          {words.limit}
          <input
            id={ids.limit}
            className={controls['field']}
            type="number"
            min={1}
            max={runsMax}
            required
            value={Number.isNaN(limit) ? '' : limit}
            onChange={({ currentTarget }) => setLimit(currentTarget.valueAsNumber)}
          />
        </label>
        <Button type="submit" icon={History} testId="policy-replay" disabled={isAsked}>
          {words.replay}
        </Button>
      </form>
      {found !== null && (
        <div aria-live="polite" className={styles['trial']} data-testid="policy-replayed">
          <Found found={found} policy={policy} />
        </div>
      )}
    </section>
  )
}

function Found({ found, policy }: { readonly found: PolicyReplay } & Pick<TrialProps, 'policy'>) {
  const { runs, steps, differences } = found
  if (runs === 0) return <p>{words.noRuns}</p>
  const all = found.escalated + found.relaxed
  return (
    <>
      <p>{fill(words.looked, { steps, runs })}</p>
      <dl className={styles['counts']}>
        {(['escalated', 'relaxed', 'unchanged'] as const).map((change) => (
          <div key={change}>
            <dt>{words[change]}</dt>
            <dd data-change={found[change] > 0 ? change : undefined} data-testid={`policy-${change}`}>
              {found[change]}
            </dd>
          </div>
        ))}
      </dl>
      {differences.length === 0 ? (
        <p>{words.same}</p>
      ) : (
        <table className={page['table']} aria-label={words.differ} data-testid="policy-differences">
          <thead>
            <tr>
              <th scope="col">{words.run}</th>
              <th scope="col">{words.step}</th>
              <th scope="col">{words.before}</th>
              <th scope="col">{words.after}</th>
              <th scope="col">{words.rule}</th>
            </tr>
          </thead>
          <tbody>
            {differences.map((one, index) => (
              // A step may be decided about more than once: its place tells them apart.
              <Difference key={index} of={one} policy={policy} />
            ))}
          </tbody>
        </table>
      )}
      {differences.length > 0 && differences.length < all && (
        <p>{fill(words.first, { count: differences.length, all })}</p>
      )}
    </>
  )
}

function Difference({ of, policy }: { readonly of: PolicyDifference } & Pick<TrialProps, 'policy'>) {
  const designer = useDesigner()
  const { runId, nodeId, before, after } = of
  return (
    <tr>
      <td>
        <button
          type="button"
          className={styles['link']}
          onClick={() => void showRunOf(designer, { runId, nodeId: asNodeId(nodeId) })}
        >
          {of.workflowTitle}
        </button>
        <code className={page['id']}>{runId}</code>
      </td>
      <td>
        <code>{of.path === '' ? nodeId : `${nodeId} · ${of.path}`}</code>
        <span className={page['id']}>{of.kind}</span>
      </td>
      <td>
        <span className={styles['decision']} data-decision={before}>
          {policyWords.decisions[before]}
        </span>
      </td>
      <td>
        <span className={styles['decision']} data-decision={after}>
          {policyWords.decisions[after]}
        </span>
      </td>
      <td className={page['words']}>
        <span className={page['name']}>{ruleTitle(policy, of.ruleId, words.byDefault)}</span>
        {of.reason}
      </td>
    </tr>
  )
}
