/** The policies that counted, and the way back to one of them. */

import { History } from 'lucide-react'
import { useState } from 'react'
import type { PolicySnapshot } from '../../../../src-engine/model/policy/policy-snapshots.ts'
import { useDesigner, useLine } from '../../../state/context.ts'
import { personOf } from '../../../state/follow-inbox.ts'
import { fill } from '../../../text/messages.ts'
import { policyWords as words } from '../../../text/policy-words.ts'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { instantWords } from '../../../ui/time-words.ts'
import { useSlowClock } from '../../../ui/use-clock.ts'
import { useLiveAnswer } from '../../../ui/use-live-answer.ts'
import { ReasonDialog } from '../../dialogs/ReasonDialog.tsx'
import { ActionsHead } from '../ActionsHead.tsx'
import page from '../EnginePage.module.css'
import { PageError } from '../PageError.tsx'
import styles from './Policy.module.css'

/** `none` for no policy at all. */
type Wanted = PolicySnapshot | 'none'

export function PolicyHistory(props: { readonly current: string | null; readonly onDone: () => void }) {
  const { current, onDone } = props
  const { answer, error, refresh } = useLiveAnswer('policy.history', {})
  const [wanted, setWanted] = useState<Wanted | null>(null)
  if (answer === null) return <PageError error={error} />
  const { snapshots } = answer
  if (snapshots.length === 0) {
    return <EmptyState icon={History} text={words.history.empty} testId="policy-history-empty" />
  }
  return (
    <div className={styles['column']}>
      <table className={page['table']} data-even data-testid="policy-history">
        <thead>
          <tr>
            <th scope="col">{words.history.policy}</th>
            <th scope="col">{words.history.note}</th>
            <th scope="col">{words.history.by}</th>
            <th scope="col">{words.history.at}</th>
            <ActionsHead />
          </tr>
        </thead>
        <tbody>
          {snapshots.map((snapshot) => (
            <Row
              key={snapshot.hash}
              snapshot={snapshot}
              isCurrent={snapshot.hash === current}
              onWant={() => setWanted(snapshot)}
            />
          ))}
        </tbody>
      </table>
      {current !== null && (
        <p className={page['foot']}>
          <Button isSmall kind="danger" testId="policy-clear" onClick={() => setWanted('none')}>
            {words.history.clear}
          </Button>
        </p>
      )}
      {wanted !== null && (
        <Asked
          wanted={wanted}
          current={current}
          onClose={() => setWanted(null)}
          onDone={() => {
            refresh()
            onDone()
          }}
        />
      )}
    </div>
  )
}

function Row(props: {
  readonly snapshot: PolicySnapshot
  readonly isCurrent: boolean
  readonly onWant: () => void
}) {
  const { snapshot, isCurrent, onWant } = props
  const now = useSlowClock()
  const { hash, at, by, note, title, ruleCount } = snapshot
  const count = ruleCount === 1 ? words.history.one : fill(words.history.many, { count: ruleCount })
  return (
    <tr data-testid="policy-snapshot">
      <td>
        <span className={page['name']}>{title === '' ? count : title}</span>
        <code className={page['id']}>{hash}</code>
      </td>
      <td className={page['words']}>{note === '' ? '—' : note}</td>
      <td>{by}</td>
      <td className={page['nowrap']}>
        <time title={new Date(at).toLocaleString()}>{instantWords(at, now)}</time>
      </td>
      <td>
        <span className={page['actions']}>
          {isCurrent ? (
            words.inEffect
          ) : (
            <Button isSmall testId="policy-rollback" onClick={onWant}>
              {words.history.back}
            </Button>
          )}
        </span>
      </td>
    </tr>
  )
}

function Asked(props: {
  readonly wanted: Wanted
  readonly current: string | null
  readonly onDone: () => void
  readonly onClose: () => void
}) {
  const { wanted, current, onDone, onClose } = props
  const designer = useDesigner()
  const line = useLine()
  const send = async (note: string | null): Promise<void> => {
    const by = personOf(designer) === '' ? null : personOf(designer)
    if (wanted === 'none') await line.call('policy.set', { policy: null, by, note, expected: current })
    else await line.call('policy.rollback', { hash: wanted.hash, by, note })
    const message = wanted === 'none' ? words.cleared : words.saved
    designer.view.getState().toast({ tone: 'good', message, hint: null })
    onDone()
  }
  const { title, text, label } = wanted === 'none' ? words.askClear : words.askBack
  return (
    <ReasonDialog
      title={title}
      text={text}
      label={label}
      field={words.note}
      isDangerous={wanted === 'none'}
      onSend={send}
      onClose={onClose}
    />
  )
}
