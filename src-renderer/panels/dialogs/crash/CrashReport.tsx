/** What became of a crash: how it stands, how long it took, and each step that was taken from the dead. */

import type { CrashedStep, CrashReport as Report } from '../../../../src-engine/protocol/crash.ts'
import { useDesigner } from '../../../state/context.ts'
import { useShownDocument } from '../../../state/selectors.ts'
import { crashWords as words } from '../../../text/crash-words.ts'
import { fill } from '../../../text/messages.ts'
import { spanWords } from '../../../ui/time-words.ts'
import styles from './CrashReport.module.css'

export function CrashReport({ report }: { readonly report: Report }) {
  const { runnerId, moment, by, steps, keptCount, takeoverMs, recoveryMs } = report
  return (
    <section
      className={styles['report']}
      aria-label={words.report}
      data-testid="crash-report"
      data-state={report.state}
    >
      <h3>{words.report}</h3>
      <output>{standOf(report)}</output>
      {runnerId !== null && (
        <>
          <p className={styles['who']}>
            {fill(words.by, {
              runner: runnerId,
              moment: words.moments[moment].toLowerCase(),
              by: by ?? words.unknownBy,
            })}
          </p>
          <dl className={styles['spans']}>
            <Span label={words.takeover} ms={takeoverMs} />
            <Span label={words.recovery} ms={recoveryMs} />
            <div>
              <dt>{words.done}</dt>
              <dd>{keptWords(keptCount)}</dd>
            </div>
          </dl>
          {steps.length > 0 && <Steps steps={steps} />}
        </>
      )}
    </section>
  )
}

function standOf({ state, steps }: Report): string {
  if (state === 'armed' || state === 'missed') return words[state]
  if (state === 'recovered') return words.recovered
  return steps.length === 0 ? `${words.lost} ${words.noSteps}` : words.lost
}

const keptWords = (count: number): string =>
  count === 0 ? words.keptNone : count === 1 ? words.keptOne : fill(words.kept, { count })

function Span({ label, ms }: { readonly label: string; readonly ms: number | null }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{ms === null ? '…' : spanWords(ms)}</dd>
    </div>
  )
}

function Steps({ steps }: { readonly steps: readonly CrashedStep[] }) {
  return (
    <table className={styles['steps']}>
      <thead>
        <tr>
          <th scope="col">{words.step}</th>
          <th scope="col">{words.class}</th>
          <th scope="col">{words.effect}</th>
          <th scope="col" title={words.fencedHint}>
            {words.fenced}
          </th>
        </tr>
      </thead>
      <tbody>
        {steps.map((step) => (
          <Step key={step.invocationId} step={step} />
        ))}
      </tbody>
    </table>
  )
}

function Step({ step }: { readonly step: CrashedStep }) {
  const { nodeId, path, sideEffect, effect, fenced, state } = step
  const designer = useDesigner()
  const title = useShownDocument(({ nodes }) => nodes[nodeId]?.title ?? nodeId)
  return (
    <tr data-testid={`crashed-${nodeId}`} data-effect={effect}>
      <th scope="row">
        <button
          type="button"
          onClick={() => {
            designer.view.getState().setDialog(null)
            designer.view.getState().select({ nodes: [nodeId] })
            designer.canvas.current?.reveal(nodeId)
          }}
        >
          {path === '' ? title : `${title} · ${path}`}
        </button>{' '}
        <small>{words.states[state]}</small>
      </th>
      <td>{sideEffect}</td>
      <td data-tone={words.tones[effect]}>{words.effects[effect]}</td>
      <td title={words.fencedHint}>
        <code>{`${fenced.epoch}.${fenced.counter}`}</code>
      </td>
    </tr>
  )
}
