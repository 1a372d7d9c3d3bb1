/** One dead letter: what happened, what to do about it, what it was about. */

import type { LucideIcon } from 'lucide-react'
import { Pencil, RotateCcw, StepForward, Trash2, Workflow } from 'lucide-react'
import type { DeadLetter } from '../../../../src-engine/model/checkpoint.ts'
import type { DefinitionHash, NodeId } from '../../../../src-engine/model/ids.ts'
import { asDocument } from '../../../state/blank-document.ts'
import { useDesigner } from '../../../state/context.ts'
import { titleOfStep } from '../../../state/step-title.ts'
import { asItWas } from '../../../status/status-style.ts'
import { Button } from '../../../ui/Button.tsx'
import { JsonTree } from '../../../ui/JsonTree.tsx'
import { StatusBadge } from '../../../ui/StatusBadge.tsx'
import { instantWords } from '../../../ui/time-words.ts'
import { useAnswer } from '../../../ui/use-answer.ts'
import { useSlowClock } from '../../../ui/use-clock.ts'
import facts from '../../inspector/Inspector.module.css'
import { PayloadView } from '../../inspector/PayloadView.tsx'
import styles from '../split/SplitPage.module.css'
import type { LetterAsk, LetterAsks, LetterNow } from './letter-asks.ts'
import { canAsk, keysOfAsk, whyNotOn } from './letter-asks.ts'
import { attemptWords, lastStatusStyle, reasonHint, reasonWords, workflowWords } from './letter-words.ts'

const buttons: readonly {
  readonly ask: LetterAsk
  readonly title: string
  readonly icon: LucideIcon
  readonly kind?: 'primary' | 'danger'
}[] = [
  { ask: 'replay', title: 'Replay', icon: RotateCcw, kind: 'primary' },
  { ask: 'retry', title: 'Go on in its run', icon: StepForward },
  { ask: 'edit', title: 'Edit and replay …', icon: Pencil },
  { ask: 'openRun', title: 'Open the run', icon: Workflow },
  { ask: 'discard', title: 'Discard …', icon: Trash2, kind: 'danger' },
]

export function LetterDetail(
  props: LetterNow & {
    /** What its run runs; null while nobody knows. */
    readonly version: DefinitionHash | null
    readonly onAsk: LetterAsks
  },
) {
  const { letter, onAsk } = props
  const notOn = whyNotOn(props)
  const hint = reasonHint(letter.reason)
  return (
    <article className={styles['detail']} data-testid="letter-detail" aria-label={workflowWords(letter)}>
      <header>
        <h1>{workflowWords(letter)}</h1>
        <div className={styles['buttons']}>
          {buttons.map(({ ask, title, icon, kind }) => (
            <Button
              key={ask}
              icon={icon}
              {...(kind === undefined ? {} : { kind })}
              testId={`letter-${ask}`}
              title={
                ask === 'retry' && notOn !== null
                  ? notOn
                  : `${title}  (${keysOfAsk[ask][0] ?? ''} in the list)`
              }
              disabled={!canAsk(ask, props)}
              onClick={() => onAsk[ask](letter)}
            >
              {title}
            </Button>
          ))}
        </div>
      </header>
      <div className={facts['error']} data-testid="letter-error">
        <b>{letter.message === '' ? reasonWords(letter.reason) : letter.message}</b>
        {hint !== null && <p>{hint}</p>}
        <code>{letter.reason}</code>
      </div>
      {notOn !== null && (
        <p className={facts['lead']} data-testid="letter-not-on">
          {notOn}
        </p>
      )}
      <LetterFacts letter={letter} version={props.version} />
      <PayloadView title="Input of the step" payload={letter.input} testId="letter-input" />
      {letter.body !== null && (
        <section className={facts['block']}>
          <header>
            <h3>What else is known</h3>
          </header>
          <JsonTree value={letter.body} />
        </section>
      )}
    </article>
  )
}

interface FactsProps {
  readonly letter: DeadLetter
  readonly version: DefinitionHash | null
}

function LetterFacts({ letter, version }: FactsProps) {
  const now = useSlowClock()
  const status = lastStatusStyle(letter)
  const { nodeId, runId, at } = letter
  return (
    <dl className={facts['facts']}>
      <dt>Was</dt>
      <dd>{status === null ? letter.lastStatus : <StatusBadge style={asItWas(status)} />}</dd>
      <dt>Tried</dt>
      <dd>{attemptWords(letter)}</dd>
      <dt>Ended</dt>
      <dd>
        <time title={new Date(at).toISOString()}>{instantWords(at, now)}</time>
      </dd>
      {nodeId !== null && (
        <>
          <dt>Step</dt>
          <dd>
            {version !== null && <StepTitle id={nodeId} version={version} />}
            <code>{nodeId}</code>
          </dd>
        </>
      )}
      {runId !== null && (
        <>
          <dt>Run</dt>
          <dd>
            <code>{runId}</code>
          </dd>
        </>
      )}
    </dl>
  )
}

/** What its card says, in the version that ran. */
function StepTitle({ id, version }: { readonly id: NodeId; readonly version: DefinitionHash }) {
  const { specs } = useDesigner()
  const known = useAnswer('workflows.version', { hash: version })
  return known === null ? null : <b>{titleOfStep(asDocument(known.document), specs, id)} </b>
}
