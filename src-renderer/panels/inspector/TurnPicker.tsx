/** Which items or turns the inspector (and the canvas) shows: one line per map or loop around the node. */

import { ChevronLeft, ChevronRight, CircleX } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { runsBodyOnce } from '../../../src-engine/model/containers.ts'
import type { NodeId } from '../../../src-engine/model/ids.ts'
import { nodeId } from '../../../src-engine/model/ids.ts'
import { useDesigner, useRuns, useView } from '../../state/context.ts'
import { keysOfScope } from '../../state/item-keys.ts'
import { shownModel } from '../../state/runs-store.ts'
import { useShownDocument } from '../../state/selectors.ts'
import type { Strip, TurnLevel } from '../../state/turns.ts'
import { lastBegun, levelsOf, marksOf, nextFailed, scopeOf } from '../../state/turns.ts'
import { turnMarks } from '../../text/messages.ts'
import { Button } from '../../ui/Button.tsx'
import controls from '../../ui/controls.module.css'
import { IconButton } from '../../ui/IconButton.tsx'
import styles from '../../ui/TurnBar.module.css'

/** More dots than these are no overview any more: the number is written, and failed ones are jumped to. */
const dotsMax = 120

export function TurnPicker({ id, path }: { readonly id: NodeId; readonly path: string }) {
  const strips = useRuns(({ current }) => (current === null ? null : shownModel(current).strips))
  const turns = useView((state) => state.turns)
  const nodes = useShownDocument((document) => document.nodes)
  if (strips === null) return null
  const own = scopeOf(path, id)
  const inside = strips.get(own)
  const around = levelsOf(path)
  // A container offers its own turns too: what is chosen counts for the steps in it.
  const all: readonly TurnLevel[] =
    inside === undefined
      ? around
      : [...around, { scope: own, container: id, index: turns[own] ?? lastBegun(inside) }]
  // Where nothing is repeated there is nothing to choose from.
  const levels = all.filter(({ container }) => !runsBodyOnce(nodes[nodeId(container)]?.kind ?? ''))
  if (levels.length === 0) return null
  return (
    <div className={styles['picker']} data-testid="turn-picker">
      {levels.map((level) => {
        const strip = strips.get(level.scope)
        // The chosen item never came to this loop.
        return strip === undefined ? null : <Level key={level.scope} level={level} strip={strip} />
      })}
    </div>
  )
}

function Level({ level, strip }: { readonly level: TurnLevel; readonly strip: Strip }) {
  const designer = useDesigner()
  const { scope, container, index } = level
  const keys = useRuns(({ current }) => (current === null ? null : keysOfScope(shownModel(current), scope)))
  const isChosen = useView((state) => state.turns[scope] !== undefined)
  const { chooseTurn } = designer.view.getState()
  const node = useShownDocument(({ nodes }) => nodes[nodeId(container)])
  const word = node?.kind === 'loop' ? 'Turn' : 'Item'
  const title = node?.title ?? container
  const failed = nextFailed(strip, index)
  const go = (to: number): void => chooseTurn(scope, Math.max(0, Math.min(to, strip.length - 1)))
  return (
    <fieldset className={styles['picker']} aria-label={`${word} of ${title}`} data-testid={`turns-${scope}`}>
      <div className={styles['line']}>
        <label>
          {word}
          <input
            type="number"
            className={controls['field']}
            min={1}
            max={strip.length}
            value={index + 1}
            aria-label={`${word} of ${title}`}
            onChange={(event) => {
              if (event.currentTarget.value !== '') go(event.currentTarget.valueAsNumber - 1)
            }}
          />
          {`of ${strip.length} · ${title}`}
        </label>
        {keys !== null && (
          <code className={styles['key']} title={keys[index]} data-testid="turn-key">
            {keys[index] ?? ''}
          </code>
        )}
        {failed !== null && failed !== index && (
          <IconButton icon={CircleX} label="Next one that failed" onClick={() => go(failed)} />
        )}
        <IconButton
          icon={ChevronLeft}
          label="Previous"
          disabled={index === 0}
          onClick={() => go(index - 1)}
        />
        <IconButton
          icon={ChevronRight}
          label="Next"
          disabled={index >= strip.length - 1}
          onClick={() => go(index + 1)}
        />
        {isChosen && (
          <Button isSmall kind="quiet" testId="turn-latest" onClick={() => chooseTurn(scope, null)}>
            Latest
          </Button>
        )}
      </div>
      {strip.length <= dotsMax && <Dots {...{ strip, index, word, keys }} onChoose={go} />}
    </fieldset>
  )
}

function Dots(props: {
  readonly strip: Strip
  readonly index: number
  readonly word: string
  /** What the items are known by; null where that is their number. */
  readonly keys: readonly string[] | null
  readonly onChoose: (index: number) => void
}) {
  const { strip, index, word, keys, onChoose } = props
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: index - 1,
      ArrowRight: index + 1,
      Home: 0,
      End: strip.length - 1,
    }
    const to = steps[event.key]
    if (to === undefined) return
    event.preventDefault()
    onChoose(to)
  }
  const wordsOf = (at: number): string =>
    `${keys?.[at] ?? `${word} ${at + 1}`}: ${turnMarks[strip[at] ?? '.'] ?? ''}`
  return (
    // One stop of the keyboard for all of them: arrows go from dot to dot.
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- its dots are chosen by clicks, too
      role="slider"
      tabIndex={0}
      aria-label={word}
      aria-valuemin={1}
      aria-valuemax={strip.length}
      aria-valuenow={index + 1}
      aria-valuetext={wordsOf(index)}
      className={styles['dots']}
      onKeyDown={onKeyDown}
      onClick={({ target }) => {
        const at = target instanceof HTMLElement ? target.dataset['at'] : undefined
        if (at !== undefined) onChoose(Number(at))
      }}
    >
      {marksOf(strip).map((mark, at) => (
        // For the pointer alone: who doesn't see them has the slider, which says what is chosen.
        <i
          // Its place is its identity.
          key={at}
          aria-hidden
          data-at={at}
          data-mark={mark}
          data-chosen={at === index || undefined}
          title={wordsOf(at)}
        />
      ))}
    </div>
  )
}
