/** On a card that a limit keeps waiting: a turnstile with its slots, who has them, and the line before it. */

import { nodeId, runId as toRunId } from '../../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../../src-engine/model/invocation.ts'
import { useDesigner } from '../../state/context.ts'
import type { Designer } from '../../state/designer.ts'
import { showRunOf } from '../../state/show-run.ts'
import { shownSite } from '../../state/site-lines.ts'
import { isHeld } from '../../status/wait-words.ts'
import { gate } from '../../text/live-words.ts'
import { fill } from '../../text/messages.ts'
import { useSecondClock } from '../../ui/use-clock.ts'
import { useLiveAnswer } from '../../ui/use-live-answer.ts'
import styles from './Gate.module.css'
import type { GateSlot } from './gate.ts'
import { gateOf } from './gate.ts'

/** Nothing until the engine has said who is in front. */
export function Gate({ invocation }: { readonly invocation: InvocationRecord }) {
  const { id, runId, nodeId: node } = invocation
  const designer = useDesigner()
  const { answer } = useLiveAnswer('runs.why', { runId, nodeId: node })
  const now = useSecondClock()
  const waits = answer?.waiting.find((one) => one.invocationId === id)
  const permit = waits?.permit ?? null
  if (waits === undefined || permit === null) return null
  const times = { now, since: waits.since, until: isHeld(invocation) ? null : invocation.notBefore }
  const { label, slots, hiddenSlots, line, place, ends, sentence } = gateOf(permit, runId, times)
  return (
    // Its buttons are not the card's: neither selects nor drags.
    <fieldset className={`${styles['gate']} nodrag nopan`} aria-label={label} data-testid={`gate-${node}`}>
      <span className={styles['line']} aria-hidden>
        {line.toReversed().map((isOwn, index) => (
          // A place in line, not somebody who stands there.
          <i key={index} data-own={isOwn || undefined} />
        ))}
      </span>
      <span className={styles['place']}>{place}</span>
      {ends !== null && <span className={styles['ends']}>{ends}</span>}
      <span className={styles['slots']}>
        {slots.map((slot, index) => (
          // A slot stays where it is, whoever has it.
          <Slot key={index} slot={slot} onOpen={() => openHolder(designer, slot)} />
        ))}
        {hiddenSlots > 0 && <b title={fill(gate.moreSlots, { count: hiddenSlots })}>{`+${hiddenSlots}`}</b>}
      </span>
      <span className={styles['tip']} data-testid={`gate-tip-${node}`}>
        <b>{sentence}</b>
        {slots.map((slot, index) => (
          <span key={index}>{slot.words}</span>
        ))}
      </span>
    </fieldset>
  )
}

function Slot({ slot, onOpen }: { readonly slot: GateSlot; readonly onOpen: () => void }) {
  const { isTaken, isOwn, runId, avatar, words } = slot
  if (runId === null) {
    return (
      // Its letter is drawn: no name has to begin with it.
      <i title={words} data-taken={isTaken || undefined} data-avatar={avatar} />
    )
  }
  return (
    <button
      type="button"
      title={words}
      aria-label={words}
      data-taken
      data-own={isOwn || undefined}
      data-avatar={avatar}
      onClick={(event) => {
        // The canvas would add the card to what is selected.
        event.stopPropagation()
        onOpen()
      }}
    />
  )
}

function openHolder(designer: Designer, { runId, nodeId: node, isOwn }: GateSlot): void {
  if (runId === null) return
  if (isOwn && node !== null) {
    designer.view.getState().select({ nodes: [nodeId(node)] })
    designer.canvas.current?.reveal(node)
    return
  }
  const step = node === null ? null : nodeId(node)
  void showRunOf(designer, { runId: toRunId(runId), nodeId: step, site: shownSite(designer) })
}
