/** The palette: every task kind, to drag, to click, or to find by typing. */

import { FileWarning, Search } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { useState } from 'react'
import { useStore } from 'zustand'
import type { TaskSpec } from '../../../src-engine/model/task-spec.ts'
import { addNearSelection } from '../../canvas/placement.ts'
import { searchKinds } from '../../canvas/search-kinds.ts'
import { addTriggerOf } from '../../canvas/triggers/add-trigger.ts'
import { kindMediaType } from '../../canvas/use-canvas-drop.ts'
import { useDesigner } from '../../state/context.ts'
import { useReadOnly } from '../../state/selectors.ts'
import { categoryTitles, empty, fill } from '../../text/messages.ts'
import { problemWords as words } from '../../text/problem-words.ts'
import { TaskIcon } from '../../ui/TaskIcon.tsx'
import { foundTriggers } from './found-triggers.ts'
import styles from './Palette.module.css'
import { TriggerGroup } from './TriggerGroup.tsx'

export function Palette() {
  const designer = useDesigner()
  const isReadOnly = useReadOnly()
  const [query, setQuery] = useState('')
  const found = searchKinds([...designer.specs.values()], query)
  const triggers = foundTriggers(query)
  const onKeyDown = (event: KeyboardEvent): void => {
    const [[first], [trigger]] = [found, triggers]
    if (event.key === 'Enter' && first !== undefined) addNearSelection(designer, first)
    else if (event.key === 'Enter' && trigger !== undefined) addTriggerOf(designer, trigger.kind)
    if (event.key === 'Escape') {
      setQuery('')
      designer.canvas.current?.focus()
    }
  }
  return (
    <div className={styles['palette']}>
      <label className={styles['search']}>
        <Search size={14} aria-hidden />
        <input
          type="search"
          aria-label="Search tasks"
          placeholder="Search tasks"
          data-testid="palette-search"
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <kbd>/</kbd>
      </label>
      <BrokenFiles />
      <section
        className={styles['scroll']}
        aria-label="Tasks"
        // Where nothing can be added none of its buttons takes the focus, and keys couldn't scroll it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- for keys to scroll it
        tabIndex={isReadOnly ? 0 : undefined}
      >
        {query === '' ? (
          Object.entries(categoryTitles).map(([id, title]) => (
            <Group key={id} title={title} specs={found.filter((spec) => spec.category === id)} />
          ))
        ) : (
          <Group title="Found" specs={found} />
        )}
        <TriggerGroup specs={triggers} />
        {found.length + triggers.length === 0 && <p className={styles['none']}>{empty.search}</p>}
      </section>
    </div>
  )
}

/** Where people look for a task that isn't there: its file can't be used. */
function BrokenFiles() {
  const designer = useDesigner()
  const count = useStore(designer.customTasks, ({ folder }) => folder.problems.length)
  if (count === 0) return null
  return (
    <button
      type="button"
      className={styles['broken']}
      data-testid="broken-task-files"
      onClick={() => designer.view.getState().setPanels({ isBottomOpen: true, bottomTab: 'problems' })}
    >
      <FileWarning size={14} aria-hidden />
      {count === 1 ? words.filesOne : fill(words.files, { count })}
    </button>
  )
}

function Group({ title, specs }: { readonly title: string; readonly specs: readonly TaskSpec[] }) {
  if (specs.length === 0) return null
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {specs.map((spec) => (
          <Item key={spec.kind} spec={spec} />
        ))}
      </ul>
    </section>
  )
}

function Item({ spec }: { readonly spec: TaskSpec }) {
  const designer = useDesigner()
  const isReadOnly = useReadOnly()
  return (
    <li>
      <button
        type="button"
        className={styles['item']}
        data-category={spec.category}
        data-testid={`palette-item-${spec.kind}`}
        title={spec.description}
        disabled={isReadOnly}
        draggable={!isReadOnly}
        onDragStart={(event) => {
          event.dataTransfer.setData(kindMediaType, spec.kind)
          event.dataTransfer.effectAllowed = 'copy'
        }}
        onClick={() => addNearSelection(designer, spec)}
      >
        <span className={styles['tile']}>
          <TaskIcon name={spec.icon} size={15} strokeWidth={1.9} aria-hidden />
        </span>
        {spec.title}
      </button>
    </li>
  )
}
