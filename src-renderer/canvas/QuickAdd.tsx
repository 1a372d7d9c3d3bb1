/** The search box that opens where a wire was dropped, on an edge's plus, or at the selection. */

import type { KeyboardEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import type { NodeId } from '../../src-engine/model/ids.ts'
import type { TaskSpec } from '../../src-engine/model/task-spec.ts'
import { useDesigner, useView } from '../state/context.ts'
import type { Designer } from '../state/designer.ts'
import type { QuickAdd as QuickAddRequest } from '../state/view-store.ts'
import { empty } from '../text/messages.ts'
import { TaskIcon } from '../ui/TaskIcon.tsx'
import { cardSize, cardWidth, freePlace } from './geometry.ts'
import { addKind } from './placement.ts'
import styles from './QuickAdd.module.css'
import { searchKinds } from './search-kinds.ts'

const boxWidth = 300
const boxHeight = 380

export function QuickAdd() {
  const request = useView((state) => state.quickAdd)
  // Each request starts with an empty search.
  return request === null ? null : (
    <QuickAddBox key={`${request.screen.x},${request.screen.y}`} request={request} />
  )
}

function QuickAddBox({ request }: { readonly request: QuickAddRequest }) {
  const designer = useDesigner()
  const [query, setQuery] = useState('')
  const [index, setIndex] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const kinds = searchKinds(fitting(designer, request), query)
  const current = Math.min(index, Math.max(0, kinds.length - 1))
  useEffect(() => {
    list.current?.children[current]?.scrollIntoView({ block: 'nearest' })
  }, [current])
  const close = (): void => {
    designer.view.getState().setQuickAdd(null)
    designer.canvas.current?.focus()
  }
  const choose = (spec: TaskSpec | undefined): void => {
    if (spec !== undefined) place(designer, request, spec)
    close()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation()
    if (event.key === 'Escape') close()
    else if (event.key === 'Enter') choose(kinds[current])
    else if (event.key === 'ArrowDown') setIndex(Math.min(current + 1, kinds.length - 1))
    else if (event.key === 'ArrowUp') setIndex(Math.max(current - 1, 0))
    else return
    event.preventDefault()
  }
  const left = Math.max(8, Math.min(request.screen.x + 8, window.innerWidth - boxWidth - 8))
  const top = Math.max(8, Math.min(request.screen.y - 20, window.innerHeight - boxHeight - 8))
  return (
    <>
      <div className={styles['backdrop']} onPointerDown={close} />
      <div
        className={styles['box']}
        style={{ left, top, width: boxWidth, maxHeight: boxHeight }}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it floats without being modal
        role="dialog"
        aria-label="Add a node"
        data-testid="quick-add"
      >
        <input
          role="combobox"
          aria-expanded
          aria-controls="quick-add-kinds"
          aria-activedescendant={
            kinds[current] === undefined ? undefined : `quick-add-${kinds[current].kind}`
          }
          aria-label="Search task kinds"
          placeholder="Add a node …"
          value={query}
          ref={(input) => input?.focus()}
          onChange={(event) => {
            setQuery(event.currentTarget.value)
            setIndex(0)
          }}
          onKeyDown={onKeyDown}
        />
        <div
          id="quick-add-kinds"
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- its options are rich
          role="listbox"
          aria-label="Task kinds"
          ref={list}
        >
          {kinds.map((spec, at) => (
            <Kind
              key={spec.kind}
              spec={spec}
              isCurrent={at === current}
              onPoint={() => setIndex(at)}
              onChoose={() => choose(spec)}
            />
          ))}
          {kinds.length === 0 && <p className={styles['none']}>{empty.search}</p>}
        </div>
      </div>
    </>
  )
}

function Kind(props: {
  readonly spec: TaskSpec
  readonly isCurrent: boolean
  readonly onPoint: () => void
  readonly onChoose: () => void
}) {
  const { spec, isCurrent } = props
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field above has the keys
    <div
      tabIndex={-1}
      id={`quick-add-${spec.kind}`}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a choice with icon and description
      role="option"
      aria-selected={isCurrent}
      className={styles['kind']}
      data-category={spec.category}
      data-testid={`quick-add-${spec.kind}`}
      onPointerMove={props.onPoint}
      onClick={props.onChoose}
    >
      <span className={styles['tile']}>
        <TaskIcon name={spec.icon} size={15} />
      </span>
      <span className={styles['words']}>
        <b>{spec.title}</b>
        <small>{spec.description}</small>
      </span>
    </div>
  )
}

function fitting(designer: Designer, request: QuickAddRequest): readonly TaskSpec[] {
  const specs = [...designer.specs.values()]
  return request.attach.kind === 'none' ? specs : specs.filter((spec) => spec.hasInput)
}

function place(designer: Designer, request: QuickAddRequest, spec: TaskSpec): NodeId | null {
  const { document } = designer.document.getState().history
  const { height } = cardSize(spec.outputs(spec.defaults).length)
  const centred = { x: request.at.x - cardWidth / 2, y: request.at.y - height / 2 }
  // A wire ends at the new node's way in: its left edge.
  const wired = { x: request.at.x, y: request.at.y - 32 }
  const at = request.attach.kind === 'after' || request.attach.kind === 'undo' ? wired : centred
  return addKind(designer, spec, {
    at: request.attach.kind === 'splice' ? at : freePlace(document, at),
    attach: request.attach,
  })
}
