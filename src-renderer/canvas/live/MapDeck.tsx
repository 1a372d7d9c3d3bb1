/** On the card of a map or loop: how many of its items are in each state; each count leads from one such item to the next. */

import { nodeId } from '../../../src-engine/model/ids.ts'
import { useDesigner, useRuns, useView } from '../../state/context.ts'
import type { Designer } from '../../state/designer.ts'
import { keysOfScope } from '../../state/item-keys.ts'
import { shownModel } from '../../state/runs-store.ts'
import type { Strip, TurnMark } from '../../state/turns.ts'
import { countsOf, heaviestStep, nextMarked } from '../../state/turns.ts'
import { deck } from '../../text/live-words.ts'
import { fill, turnMarks } from '../../text/messages.ts'
import styles from './MapDeck.module.css'

export function MapDeck({ scope, strip }: { readonly scope: string; readonly strip: Strip }) {
  const designer = useDesigner()
  const keys = useRuns(({ current }) => (current === null ? null : keysOfScope(shownModel(current), scope)))
  const chosen = useView((state) => state.turns[scope] ?? null)
  return (
    // Its buttons are not the card's: neither selects nor drags.
    <fieldset
      className={`${styles['deck']} nodrag nopan`}
      aria-label={fill(deck.label, { count: strip.length })}
      data-testid={`deck-${scope}`}
    >
      {countsOf(strip).map(({ mark, count }) => (
        <button
          key={mark}
          type="button"
          data-mark={mark}
          aria-pressed={chosen !== null && strip[chosen] === mark}
          aria-label={fill(deck.next, { count, state: turnMarks[mark] ?? '' })}
          title={fill(deck.next, { count, state: turnMarks[mark] ?? '' })}
          onClick={(event) => {
            // The canvas would add the card to what is selected.
            event.stopPropagation()
            openNext(designer, { scope, strip, mark })
          }}
        >
          <i aria-hidden />
          {/* What is read aloud holds the same words, with room between them. */}
          {`${count} `}
          <span>{turnMarks[mark]}</span>
        </button>
      ))}
      {chosen !== null && (
        <b title={keys?.[chosen]}>
          {keys?.[chosen] ?? fill(deck.chosen, { number: chosen + 1, count: strip.length })}
        </b>
      )}
    </fieldset>
  )
}

/** Shows the next item in that state, with the step in it that makes it so. */
function openNext(
  designer: Designer,
  { scope, strip, mark }: { readonly scope: string; readonly strip: Strip; readonly mark: TurnMark },
): void {
  const { turns, chooseTurn, select, setPanels } = designer.view.getState()
  const index = nextMarked(strip, mark, turns[scope] ?? -1)
  const { current } = designer.runs.getState()
  if (index === null || current === null) return
  chooseTurn(scope, index)
  const step = heaviestStep(shownModel(current).replay.invocations.values(), `${scope}:${index}`)
  if (step !== null) select({ nodes: [nodeId(step)] })
  setPanels({ isInspectorOpen: true, inspectorTab: 'run' })
}
