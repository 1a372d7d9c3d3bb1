/** Before anything runs: which effects of the open workflow could be undone, and what would stay after which failure. */

import { Pin, ShieldCheck, TriangleAlert, Undo2 } from 'lucide-react'
import type { NodeId } from '../../../src-engine/model/ids.ts'
import type { InnerStep, SagaEffect } from '../../../src-engine/model/saga-coverage.ts'
import { useDesigner } from '../../state/context.ts'
import { useShownDocument } from '../../state/selectors.ts'
import { titleOfStep } from '../../state/step-title.ts'
import { fill } from '../../text/messages.ts'
import { coverage as words } from '../../text/saga-words.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import styles from './RollbackPanel.module.css'
import { coverageSentence } from './rollback-words.ts'
import { shownPointsMax, useFailurePoints, useSagaEffects } from './use-coverage.ts'

/** Of one failure; more can't be taken in, and the canvas shows them all. */
const titlesMax = 12

export function CoverageView() {
  const found = useSagaEffects()
  const staying = found.effects.filter(({ plan }) => plan !== 'undone')
  const isSure = staying.length + found.unknown.length === 0
  const Icon = isSure && found.rollsBack ? ShieldCheck : TriangleAlert
  if (found.effects.length + found.unknown.length === 0)
    return <EmptyState icon={Undo2} text={words.noEffects} />
  return (
    <div className={styles['panel']} data-testid="coverage">
      <header className={styles['head']}>
        <Icon size={15} aria-hidden data-tone={Icon === ShieldCheck ? 'good' : 'wait'} />
        <p>
          {found.effects.length > 0 && <b>{coverageSentence(found)}</b>}{' '}
          {found.rollsBack ? '' : words.noRollback}
        </p>
      </header>
      {staying.length > 0 && (
        <section className={styles['left']} aria-label={words.stays}>
          <h3>{words.stays}</h3>
          <ul>
            {staying.map((effect) => (
              <Effect key={[effect.nodeId, ...effect.inside.map(keyOf)].join(' ')} effect={effect} />
            ))}
          </ul>
        </section>
      )}
      {found.unknown.length > 0 && (
        <section className={styles['left']} aria-label={words.unknown} data-testid="coverage-unknown">
          <h3>{words.unknown}</h3>
          <ul>
            {found.unknown.map((id) => (
              <li key={id}>
                <NodeName id={id} />
                <span>{words.notAtHand}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <FailurePoints />
    </div>
  )
}

/** What stays at which failure. Looked for after the rest is there: a large workflow takes its time. */
function FailurePoints() {
  const { points, hasMore, isOld } = useFailurePoints()
  if (points.length === 0 && !isOld) return null
  return (
    <section className={styles['left']} aria-label={words.points} aria-busy={isOld}>
      <h3 data-tone="plain">
        {words.points}
        {isOld && <small>{words.looking}</small>}
      </h3>
      <ul>
        {points.map(({ nodeId, stays }) => (
          <li key={nodeId}>
            <NodeName id={nodeId} />
            <Stays ids={stays} />
          </li>
        ))}
      </ul>
      {hasMore && <p>{fill(words.morePoints, { count: shownPointsMax })}</p>}
    </section>
  )
}

const keyOf = ({ workflowId, nodeId }: InnerStep): string => `${workflowId}/${nodeId}`

function Effect({ effect: { nodeId, inside, plan, reason } }: { readonly effect: SagaEffect }) {
  return (
    <li data-plan={plan}>
      <NodeName id={nodeId} />
      {inside.length > 0 && (
        <span>{fill(words.inside, { steps: inside.map(({ title }) => title).join(' › ') })}</span>
      )}
      <span>
        {plan === 'impossible' && <Pin size={12} aria-hidden />}{' '}
        {plan === 'impossible' ? reason : words[plan === 'apart' ? 'apart' : 'missing']}
      </span>
    </li>
  )
}

function Stays({ ids }: { readonly ids: readonly NodeId[] }) {
  const designer = useDesigner()
  const named = useShownDocument((document) =>
    ids
      .slice(0, titlesMax)
      .map((id) => `“${titleOfStep(document, designer.specs, id)}”`)
      .join(', '),
  )
  const rest = ids.length - titlesMax
  const titles = rest > 0 ? fill(words.andMore, { titles: named, count: rest }) : named
  return <span>{fill(ids.length === 1 ? words.oneWouldStay : words.wouldStay, { titles })}</span>
}

/** A click leads to where it is said how the node is undone. */
function NodeName({ id }: { readonly id: NodeId }) {
  const designer = useDesigner()
  const title = useShownDocument((document) => titleOfStep(document, designer.specs, id))
  const open = (): void => {
    designer.view.getState().select({ nodes: [id] })
    designer.view.getState().setPanels({ isInspectorOpen: true, inspectorTab: 'undo' })
    designer.canvas.current?.reveal(id)
  }
  return (
    <button type="button" className={styles['node']} onClick={open}>
      {title}
    </button>
  )
}
