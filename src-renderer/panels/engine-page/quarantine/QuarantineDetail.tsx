/** One result that is held back: why, what was found in it, who worked with it, and the two ways out. */

import { Eye, ShieldCheck, Trash2, Workflow } from 'lucide-react'
import { useState } from 'react'
import type { JsonValue } from '../../../../src-engine/model/json.ts'
import { runMachine } from '../../../../src-engine/model/run-status.ts'
import type {
  QuarantineDetail as Detail,
  QuarantineEntry,
} from '../../../../src-engine/protocol/quarantine.ts'
import { useDesigner } from '../../../state/context.ts'
import { attempt } from '../../../state/designer.ts'
import { personOf } from '../../../state/follow-inbox.ts'
import { showRunOf } from '../../../state/show-run.ts'
import { invocationStyle } from '../../../status/status-style.ts'
import { fill } from '../../../text/messages.ts'
import { quarantine as words } from '../../../text/quarantine-words.ts'
import { Button } from '../../../ui/Button.tsx'
import { JsonTree } from '../../../ui/JsonTree.tsx'
import { StatusBadge } from '../../../ui/StatusBadge.tsx'
import { useLiveAnswer } from '../../../ui/use-live-answer.ts'
import { ReasonDialog } from '../../dialogs/ReasonDialog.tsx'
import facts from '../../inspector/Inspector.module.css'
import page from '../EnginePage.module.css'
import split from '../split/SplitPage.module.css'

export function QuarantineDetail(props: { readonly entry: QuarantineEntry; readonly onDone: () => void }) {
  const { entry, onDone } = props
  const designer = useDesigner()
  const { invocationId, runId, nodeId, refusal } = entry
  const { answer } = useLiveAnswer('quarantine.show', { invocationId })
  const [asked, setAsked] = useState<'release' | 'discard' | null>(null)
  return (
    <article className={split['detail']} data-testid="quarantine-detail" aria-label={entry.workflowTitle}>
      <header>
        <h1>{entry.workflowTitle}</h1>
        <div className={split['buttons']}>
          <Button
            icon={ShieldCheck}
            kind="primary"
            testId="quarantine-release"
            disabled={refusal !== null}
            onClick={() => setAsked('release')}
          >
            {words.release}
          </Button>
          <Button
            icon={Workflow}
            testId="quarantine-run"
            onClick={() => void showRunOf(designer, { runId, nodeId, invocationId })}
          >
            {words.openRun}
          </Button>
          <Button icon={Trash2} kind="danger" testId="quarantine-discard" onClick={() => setAsked('discard')}>
            {words.discard}
          </Button>
        </div>
        {refusal !== null && <p className={page['words']}>{refusal.message}</p>}
      </header>
      <div className={facts['error']} data-testid="quarantine-reason">
        <b>{entry.reason}</b>
        <p>{`${words.decisions[entry.decision]} ${words.phases[entry.phase]}`}</p>
        <code>{entry.rule ?? words.noRule}</code>
      </div>
      <EntryFacts entry={entry} />
      {answer !== null && <Findings detail={answer} />}
      {answer !== null && answer.dependentsCount > 0 && <Dependents detail={answer} />}
      <Content entry={entry} />
      {asked !== null && <Asked entry={entry} asked={asked} onDone={onDone} onClose={() => setAsked(null)} />}
    </article>
  )
}

function Asked(props: {
  readonly entry: QuarantineEntry
  readonly asked: 'release' | 'discard'
  readonly onDone: () => void
  readonly onClose: () => void
}) {
  const { entry, asked, onDone, onClose } = props
  const designer = useDesigner()
  const { invocationId, runStatus } = entry
  const goOn = asked === 'release' && runMachine.final.has(runStatus) && runStatus !== 'SUCCEEDED'
  const send = async (reason: string | null): Promise<void> => {
    const by = personOf(designer) === '' ? null : personOf(designer)
    if (asked === 'release')
      await designer.connection.call('quarantine.release', { invocationId, by, reason, goOn })
    else await designer.connection.call('quarantine.discard', { invocationId, by, reason })
    const message = asked === 'release' ? words.released : words.discarded
    designer.view.getState().toast({ tone: 'good', message, hint: null })
    onDone()
  }
  const { title, label } = words.ask[asked]
  return (
    <ReasonDialog
      title={title}
      text={goOn ? words.ask.release.goesOn : words.ask[asked].text}
      label={label}
      field={words.reason}
      isDangerous={asked === 'discard'}
      onSend={send}
      onClose={onClose}
    />
  )
}

function EntryFacts({ entry }: { readonly entry: QuarantineEntry }) {
  const { nodeId, path, runId, severity, bytes } = entry
  return (
    <dl className={facts['facts']}>
      <dt>Step</dt>
      <dd>
        <code>{path === '' ? nodeId : `${nodeId} · ${path}`}</code>
      </dd>
      <dt>Severity</dt>
      <dd>{words.severity[severity]}</dd>
      {bytes !== null && (
        <>
          <dt>Size</dt>
          <dd>{`${bytes} bytes`}</dd>
        </>
      )}
      <dt>Run</dt>
      <dd>
        <code>{runId}</code>
      </dd>
    </dl>
  )
}

function Findings({ detail: { findings } }: { readonly detail: Detail }) {
  return (
    <section className={facts['block']}>
      <header>
        <h3>{words.found}</h3>
      </header>
      {findings.length === 0 ? (
        <p className={page['words']}>{words.nothingFound}</p>
      ) : (
        <table className={page['table']} data-testid="quarantine-findings">
          <thead>
            <tr>
              <th scope="col">Found</th>
              <th scope="col">Where</th>
              <th scope="col">Around it</th>
            </tr>
          </thead>
          <tbody>
            {findings.map((finding, index) => (
              // Findings have no identity but their place.
              <tr key={index}>
                <td>
                  <span className={page['name']}>{finding.type}</span>
                  <span className={page['id']}>{words.severity[finding.severity]}</span>
                </td>
                <td>
                  <code>{finding.place}</code>
                </td>
                <td className={page['words']}>{finding.snippet}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function Dependents({ detail: { dependents, dependentsCount } }: { readonly detail: Detail }) {
  const more = dependentsCount - dependents.length
  return (
    <section className={facts['block']}>
      <header>
        <h3>{words.dependents}</h3>
      </header>
      <p className={page['words']}>{words.dependentsHint}</p>
      <ul className={facts['members']} data-testid="quarantine-dependents">
        {dependents.map(({ invocationId, nodeId, status }) => (
          <li key={invocationId}>
            <StatusBadge style={invocationStyle[status]} />
            <code>{nodeId}</code>
          </li>
        ))}
        {more > 0 && <li>{fill(words.moreDependents, { count: more })}</li>}
      </ul>
    </section>
  )
}

/** What is held is shown to who asks for it, and that they did is kept. */
function Content({ entry: { invocationId, bytes } }: { readonly entry: QuarantineEntry }) {
  const designer = useDesigner()
  const [shown, setShown] = useState<{ readonly value: JsonValue } | null>(null)
  if (bytes === null) return null
  const look = async (): Promise<void> => {
    const by = personOf(designer) === '' ? null : personOf(designer)
    const content = await attempt(designer, () =>
      designer.connection.call('quarantine.content', { invocationId, by }),
    )
    if (content !== null) setShown({ value: JSON.parse(content.json) as JsonValue })
  }
  return (
    <section className={facts['block']}>
      <header>
        <h3>{words.content}</h3>
      </header>
      {shown === null ? (
        <div className={facts['attempts']}>
          <Button
            isSmall
            icon={Eye}
            title={words.lookHint}
            testId="quarantine-look"
            onClick={() => void look()}
          >
            {words.look}
          </Button>
        </div>
      ) : (
        <div data-testid="quarantine-content">
          <JsonTree value={shown.value} />
        </div>
      )}
    </section>
  )
}
