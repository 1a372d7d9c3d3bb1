/** What stands above the rules: what is stored can't be read, others changed it, or it can't be used yet. */

import type { PolicyView } from '../../../../src-engine/protocol/policy.ts'
import { useDesigner } from '../../../state/context.ts'
import type { PolicyDraft } from '../../../state/policy-draft.ts'
import { fill } from '../../../text/messages.ts'
import { policyWords as words } from '../../../text/policy-words.ts'
import { Button } from '../../../ui/Button.tsx'
import { spanWords } from '../../../ui/time-words.ts'
import { useClock } from '../../../ui/use-clock.ts'
import styles from './Policy.module.css'
import type { PolicyFault } from './policy-edits.ts'
import { ruleOfFault } from './policy-edits.ts'

export function PolicyNotices(props: {
  readonly view: PolicyView
  readonly faults: readonly PolicyFault[]
  /** Null unless it differs from what counts. */
  readonly draft: PolicyDraft | null
  readonly onTheirs: () => void
  readonly onMine: () => void
  /** Leads to the rule at this place. */
  readonly onFault: (index: number) => void
}) {
  const { view, faults, draft, onTheirs, onMine, onFault } = props
  const isOvertaken = draft !== null && draft.base !== view.hash
  return (
    <>
      {view.problem !== null && (
        <div className={styles['notice']} data-tone="bad" role="alert" data-testid="policy-unreadable">
          <p>{`${view.problem} ${words.unreadable[view.failMode]}`}</p>
        </div>
      )}
      {view.remote !== null && <RemoteKernel remote={view.remote} failMode={view.failMode} />}
      {isOvertaken && (
        <div className={styles['notice']} role="alert" data-testid="policy-overtaken">
          <p>{words.overtaken}</p>
          <Button isSmall onClick={onTheirs} testId="policy-theirs">
            {words.theirs}
          </Button>
          <Button isSmall onClick={onMine} testId="policy-mine">
            {words.mine}
          </Button>
        </div>
      )}
      {faults.length > 0 && <Faults faults={faults} onFault={onFault} />}
    </>
  )
}

/** Who is asked beside these rules, and whether they answer. */
function RemoteKernel(props: {
  readonly remote: NonNullable<PolicyView['remote']>
  readonly failMode: PolicyView['failMode']
}) {
  const { status, failures, openUntil, here } = props.remote
  const now = useClock(openUntil !== null)
  const kernel = words.remote
  const left = openUntil === null ? 0 : Math.max(0, openUntil - now)
  const more = status === 'open' ? ` ${kernel.meanwhile[props.failMode]}` : ''
  const text =
    status === 'closed' && failures > 0
      ? fill(kernel.failing, { count: failures })
      : fill(kernel[status], { span: spanWords(left) })
  return (
    <div
      className={styles['notice']}
      data-tone={status === 'open' ? 'bad' : undefined}
      data-testid="policy-remote"
      data-status={status}
    >
      <p>{`${text}${more}${here ? '' : ` ${kernel.notHere}`}`}</p>
    </div>
  )
}

function Faults(props: {
  readonly faults: readonly PolicyFault[]
  readonly onFault: (index: number) => void
}) {
  const { faults, onFault } = props
  const designer = useDesigner()
  return (
    <section
      className={styles['notice']}
      data-tone="bad"
      aria-live="polite"
      aria-label={words.problems}
      data-testid="policy-faults"
    >
      <p>{words.problems}</p>
      <ul>
        {faults.map((fault) => {
          const { index, field } = ruleOfFault(fault)
          return (
            <li key={fault.path + fault.message}>
              <button
                type="button"
                onClick={() => {
                  onFault(index)
                  designer.view.getState().wishField(field)
                }}
              >
                <code>{fault.path}</code> {fault.message}
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
