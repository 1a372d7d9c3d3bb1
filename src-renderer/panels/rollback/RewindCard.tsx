/** On the canvas while a run is taken back, and afterwards: what was undone, what stays and why, what may be done. */

import { ListTree, Pin, Rewind, Undo2, X } from 'lucide-react'
import { useMemo } from 'react'
import type { NodeId } from '../../../src-engine/model/ids.ts'
import { useDesigner, useRuns } from '../../state/context.ts'
import { watchAgain } from '../../state/follow-rewind.ts'
import type { Staying, UndoEntry } from '../../state/rollback.ts'
import { rollbackOf, stayingSteps, undoEntries } from '../../state/rollback.ts'
import type { RunModel } from '../../state/run-model.ts'
import { shownModel } from '../../state/runs-store.ts'
import { useIsRewinding, useShownDone } from '../../state/use-rewound.ts'
import { rollback as words } from '../../text/saga-words.ts'
import { Button } from '../../ui/Button.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { clockWords } from '../../ui/time-words.ts'
import { NodeLink } from './NodeLink.tsx'
import styles from './RewindCard.module.css'
import { EntryActions, WholeActions } from './RollbackActions.tsx'
import { endSentence, movingSentence, stayingWords } from './rollback-words.ts'
import { useSagaEffects } from './use-coverage.ts'
import { useHasRewindCard } from './use-rewind-card.ts'

export function RewindCard() {
  const isShown = useHasRewindCard()
  const model = useRuns(({ current }) => (current === null ? null : shownModel(current)))
  return isShown && model !== null ? <Card model={model} /> : null
}

function Card({ model }: { readonly model: RunModel }) {
  const designer = useDesigner()
  const { effects } = useSagaEffects()
  const rollback = useMemo(() => rollbackOf(model), [model])
  const undone = useMemo(() => undoEntries(model), [model])
  const staying = useMemo(() => stayingSteps(model, effects), [model, effects])
  const isRewinding = useIsRewinding()
  const done = useShownDone()
  if (rollback === null) return null
  const status = isRewinding ? 'COMPENSATING' : rollback.status
  const left = staying.filter(({ why }) => why !== 'failed')
  const showAll = (): void =>
    designer.view.getState().setPanels({ isBottomOpen: true, bottomTab: 'rollback' })
  return (
    <section
      className={styles['card']}
      data-state={isRewinding ? 'moving' : status === 'COMPENSATION_FAILED' ? 'failed' : 'over'}
      aria-label={words.cardTitle}
      data-testid="rewind-card"
    >
      <header>
        <Undo2 size={18} strokeWidth={2.2} aria-hidden />
        <h2>{isRewinding ? movingSentence(rollback, done) : endSentence(rollback, left)}</h2>
        <IconButton
          icon={X}
          label={words.closeCard}
          onClick={() => {
            designer.rewind.getState().closeCard()
            designer.canvas.current?.focus()
          }}
        />
      </header>
      {isRewinding ? (
        <progress value={done} max={rollback.total} aria-label={words.order} />
      ) : (
        <>
          <ol aria-label={words.order}>
            {undone.map((entry) => (
              <Entry key={entry.undo.id} entry={entry} />
            ))}
          </ol>
          {left.length > 0 && <Left staying={left} />}
        </>
      )}
      <footer>
        <WholeActions model={model} />
        {!isRewinding && (
          <Button
            isSmall
            kind="quiet"
            icon={Rewind}
            testId="rewind-again"
            onClick={() => watchAgain(designer)}
          >
            {words.again}
          </Button>
        )}
        <Button isSmall kind="quiet" icon={ListTree} testId="rewind-all" onClick={showAll}>
          {words.all}
        </Button>
      </footer>
    </section>
  )
}

function Entry({ entry: { undo, phase } }: { readonly entry: UndoEntry }) {
  // What was left stands below, with why.
  if (phase === 'left' || phase === 'recorded') return null
  return (
    <li data-state={phase} data-testid={`rewound-${undo.nodeId}`}>
      <Undo2 size={13} strokeWidth={2.2} aria-hidden />
      <Title id={undo.nodeId} path={undo.path} />
      {phase === 'done' && undo.finishedAt !== null && (
        <time>{`${words.undoneAt} ${clockWords(undo.finishedAt).slice(0, 8)}`}</time>
      )}
      {phase === 'failed' && (
        <span className={styles['asks']}>
          <EntryActions undo={undo} />
        </span>
      )}
      {phase === 'failed' && undo.error !== null && <p>{undo.error.message}</p>}
    </li>
  )
}

function Left({ staying }: { readonly staying: readonly Staying[] }) {
  return (
    <>
      <h3>{words.leftTitle}</h3>
      <ul aria-label={words.leftTitle} data-testid="rewind-left">
        {staying.map((one) => (
          <li key={`${one.nodeId} ${one.path}`} data-reason={one.why}>
            <Pin size={13} strokeWidth={2.2} aria-hidden />
            <Title id={one.nodeId} path={one.path} />
            <p>{stayingWords(one)}</p>
          </li>
        ))}
      </ul>
    </>
  )
}

function Title({ id, path }: { readonly id: NodeId; readonly path: string }) {
  return (
    <span className={styles['title']}>
      <NodeLink id={id} />
      {path !== '' && <code>{path}</code>}
    </span>
  )
}
