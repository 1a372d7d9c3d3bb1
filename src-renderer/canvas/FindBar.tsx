/** The search field over the canvas: which hit is looked at, the next, the one before. */

import { ChevronDown, ChevronUp, Search, X } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { commandOf } from '../commands/registry.ts'
import { useDesigner, useView } from '../state/context.ts'
import { finding as words } from '../text/canvas-words.ts'
import { fill } from '../text/messages.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { useKeyWords } from '../ui/use-key-map.ts'
import styles from './FindBar.module.css'
import { endFinding, findText, stepFinding } from './finding.ts'

export function FindBar() {
  const designer = useDesigner()
  const finding = useView((state) => state.finding)
  const nextKeys = useKeyWords(commandOf('view.findNext'))
  const previousKeys = useKeyWords(commandOf('view.findPrevious'))
  if (finding === null) return null
  const { query, hits, index } = finding
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') endFinding(designer)
    else if (event.key === 'Enter') stepFinding(designer, event.shiftKey ? -1 : 1)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const count =
    hits.length === 0 ? words.none : fill(words.count, { at: String(index + 1), of: String(hits.length) })
  return (
    <search className={styles['bar']} aria-label={words.title} data-testid="find-bar">
      <Search size={14} aria-hidden />
      <input
        aria-label={words.title}
        placeholder={words.placeholder}
        value={query}
        ref={(input) => {
          if (input !== null && document.activeElement === document.body) input.focus()
        }}
        data-testid="find-field"
        onChange={(event) => findText(designer, event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <output data-none={(query !== '' && hits.length === 0) || undefined}>
        {query === '' ? '' : count}
      </output>
      <IconButton
        icon={ChevronUp}
        label={words.previous}
        keys={previousKeys}
        disabled={hits.length < 2}
        onClick={() => stepFinding(designer, -1)}
      />
      <IconButton
        icon={ChevronDown}
        label={words.next}
        keys={nextKeys}
        disabled={hits.length < 2}
        onClick={() => stepFinding(designer, 1)}
      />
      <IconButton icon={X} label={words.close} onClick={() => endFinding(designer)} />
    </search>
  )
}
