/** The narrowings that have a name: one press each; saved, renamed, moved and deleted here. */

import { BookmarkPlus, ChevronLeft, ChevronRight, Link2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useDesigner, useRunViews } from '../../../state/context.ts'
import { copyRunsLink } from '../../../state/open-link.ts'
import type { RunView } from '../../../state/run-views-store.ts'
import { areSame, everyRun } from '../../../state/run-views-store.ts'
import { runListWords as words } from '../../../text/run-list-words.ts'
import { Button } from '../../../ui/Button.tsx'
import controls from '../../../ui/controls.module.css'
import { IconButton } from '../../../ui/IconButton.tsx'
import styles from './RunsPage.module.css'

export function RunViews() {
  const designer = useDesigner()
  const filter = useRunViews((state) => state.filter)
  const views = useRunViews((state) => state.views)
  const [isNaming, setNaming] = useState(false)
  const { setFilter, save } = designer.runViews.getState()
  const current = views.find((view) => areSame(view.filter, filter)) ?? null
  const isEvery = areSame(filter, everyRun)
  return (
    <nav className={styles['views']} aria-label={words.views} data-testid="runs-views">
      <button
        type="button"
        className={styles['view']}
        aria-current={isEvery}
        onClick={() => setFilter(everyRun)}
      >
        {words.all}
      </button>
      {views.map((view) => (
        <button
          key={view.id}
          type="button"
          className={styles['view']}
          data-testid={`runs-view-${view.id}`}
          aria-current={view === current}
          onClick={() => setFilter(view.filter)}
        >
          {view.title}
        </button>
      ))}
      {!isEvery && (
        <IconButton
          icon={Link2}
          label={words.link}
          data-testid="runs-link"
          onClick={() => void copyRunsLink(designer)}
        />
      )}
      {current !== null && <ViewActions key={current.id} view={current} />}
      {current === null && !isEvery && !isNaming && (
        <Button isSmall kind="quiet" icon={BookmarkPlus} testId="runs-save" onClick={() => setNaming(true)}>
          {words.save}
        </Button>
      )}
      {current === null && isNaming && (
        <NameForm
          onLeave={() => setNaming(false)}
          onName={(title) => {
            setNaming(false)
            save({ id: designer.ambient.newId(), title, filter })
          }}
        />
      )}
    </nav>
  )
}

function NameForm(props: { readonly onName: (title: string) => void; readonly onLeave: () => void }) {
  const [title, setTitle] = useState('')
  return (
    <form
      className={styles['naming']}
      onSubmit={(event) => {
        event.preventDefault()
        if (title.trim() !== '') props.onName(title)
      }}
    >
      <input
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it was just asked for
        autoFocus
        className={controls['field']}
        aria-label={words.viewName}
        placeholder={words.viewName}
        data-testid="runs-view-name"
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') props.onLeave()
        }}
      />
      <Button isSmall type="submit" disabled={title.trim() === ''}>
        {words.saveIt}
      </Button>
      <Button isSmall kind="quiet" onClick={props.onLeave}>
        {words.leaveIt}
      </Button>
    </form>
  )
}

/** Of the view that is shown. */
function ViewActions({ view }: { readonly view: RunView }) {
  const designer = useDesigner()
  const { rename, move, remove } = designer.runViews.getState()
  const [title, setTitle] = useState(view.title)
  return (
    <form
      className={styles['naming']}
      aria-label={words.edit}
      onSubmit={(event) => {
        event.preventDefault()
        rename(view.id, title)
      }}
    >
      <input
        className={controls['field']}
        aria-label={words.viewName}
        data-testid="runs-view-title"
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
        onBlur={() => rename(view.id, title)}
      />
      <IconButton icon={ChevronLeft} label={words.forward} onClick={() => move(view.id, -1)} />
      <IconButton icon={ChevronRight} label={words.back} onClick={() => move(view.id, 1)} />
      <IconButton
        icon={Trash2}
        label={words.remove}
        data-testid="runs-view-remove"
        onClick={() => remove(view.id)}
      />
    </form>
  )
}
