/** The bottom panel and the status bar under everything. */

import {
  ChartGantt,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CodeXml,
  ListTree,
  ScrollText,
  TriangleAlert,
  Undo2,
  X,
} from 'lucide-react'
import { useEffect } from 'react'
import { RunLine } from '../clusters/RunLine.tsx'
import { countOf } from '../rules/found-once.ts'
import { useDesigner, useDocument, useRehearsal, useRuns, useTests, useView } from '../state/context.ts'
import { closeTimeline } from '../state/follow-runs.ts'
import type { BottomTab } from '../state/panels.ts'
import { useShownDocument } from '../state/selectors.ts'
import { codeWords } from '../text/code-words.ts'
import { followingWords } from '../text/following-words.ts'
import { beginning, fill } from '../text/messages.ts'
import { rehearsalWords } from '../text/rehearsal-words.ts'
import { coverage } from '../text/saga-words.ts'
import { testWords } from '../text/test-words.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { FamilyPanel } from './family/FamilyPanel.tsx'
import { FollowPanel } from './following/FollowPanel.tsx'
import { LogPanel } from './log/LogPanel.tsx'
import styles from './panels.module.css'
import { ProblemsPanel } from './problems/ProblemsPanel.tsx'
import { useProblemsAround } from './problems/use-problems-around.ts'
import { RehearsalPanel } from './rehearsal/RehearsalPanel.tsx'
import { RollbackPanel } from './rollback/RollbackPanel.tsx'
import { coverageSentence } from './rollback/rollback-words.ts'
import { useSagaEffects } from './rollback/use-coverage.ts'
import { TestsPanel } from './tests/TestsPanel.tsx'
import { TimelinePanel } from './timeline/TimelinePanel.tsx'

const panelByTab = {
  problems: ProblemsPanel,
  log: LogPanel,
  timeline: TimelinePanel,
  family: FamilyPanel,
  rollback: RollbackPanel,
  value: FollowPanel,
  rehearsal: RehearsalPanel,
  tests: TestsPanel,
}

export function BottomPanel() {
  const designer = useDesigner()
  // Another tab keeps the moment that is looked at; closing the panel goes back to now.
  useEffect(() => () => closeTimeline(designer), [designer])
  const tab = useView((state) => state.panels.bottomTab)
  const height = useView((state) => state.panels.bottomHeight)
  const around = useProblemsAround().length
  const problemCount = useDocument((state) => state.problems.length) + around
  const broken = useRehearsal(({ phase }) => (phase?.status === 'done' ? phase.result.violations : 0))
  const failed = useTests(
    ({ played }) => [...played.values()].filter(({ result }) => !result.isPassed).length,
  )
  const { setPanels } = designer.view.getState()
  const Panel = panelByTab[tab] ?? ProblemsPanel
  return (
    <section
      className={styles['bottom']}
      style={{ height }}
      aria-label="Problems, log, timeline, family, undo, value, rehearsal and tests"
      data-testid="bottom-panel"
    >
      <Tabs<BottomTab>
        label="Bottom panel"
        current={tab}
        onChoose={(bottomTab) => setPanels({ bottomTab })}
        tabs={[
          { id: 'problems', title: 'Problems', count: problemCount, tone: 'bad' },
          { id: 'log', title: 'Log' },
          { id: 'timeline', title: 'Timeline' },
          { id: 'family', title: 'Family' },
          { id: 'rollback', title: 'Undo' },
          { id: 'value', title: followingWords.tab },
          { id: 'rehearsal', title: rehearsalWords.tab, count: broken, tone: 'bad' },
          { id: 'tests', title: testWords.tab, count: failed, tone: 'bad' },
        ]}
      >
        <span className={styles['spring']} />
        <IconButton
          icon={X}
          label="Close the bottom panel"
          onClick={() => {
            setPanels({ isBottomOpen: false })
            designer.canvas.current?.focus()
          }}
        />
      </Tabs>
      <div className={styles['body']}>
        <RunLine>
          <Panel />
        </RunLine>
      </div>
    </section>
  )
}

export function StatusBar() {
  const designer = useDesigner()
  const errors = useDocument(
    (state) => state.problems.filter((problem) => problem.severity === 'error').length,
  )
  const around = useProblemsAround().length
  const warnings = useDocument((state) => state.problems.length) - errors + around
  const nodes = useDocument((state) => countOf(state.history.document.nodes))
  // A run may be shown on another version than the one that is open.
  const shown = useShownDocument((document) => countOf(document.nodes))
  const hasRun = useRuns((state) => state.current !== null)
  const open = (bottomTab: BottomTab): void => {
    const { panels, setPanels } = designer.view.getState()
    setPanels({ bottomTab, isBottomOpen: !(panels.isBottomOpen && panels.bottomTab === bottomTab) })
  }
  return (
    <footer className={styles['status']}>
      <button
        type="button"
        data-testid="problems-button"
        data-tone={errors > 0 ? 'bad' : warnings > 0 ? 'wait' : nodes === 0 ? undefined : 'good'}
        onClick={() => open('problems')}
      >
        {nodes === 0 && errors + warnings === 0 ? (
          <CircleDashed size={13} aria-hidden />
        ) : errors > 0 ? (
          <CircleAlert size={13} aria-hidden />
        ) : warnings > 0 ? (
          <TriangleAlert size={13} aria-hidden />
        ) : (
          <CircleCheck size={13} aria-hidden />
        )}
        {errors + warnings > 0
          ? countWords(errors, warnings)
          : nodes === 0
            ? beginning.status
            : 'No problems'}
      </button>
      <button type="button" data-testid="log-button" disabled={!hasRun} onClick={() => open('log')}>
        <ScrollText size={13} aria-hidden /> Log
      </button>
      <button type="button" data-testid="timeline-button" disabled={!hasRun} onClick={() => open('timeline')}>
        <ChartGantt size={13} aria-hidden /> Timeline
      </button>
      <button type="button" data-testid="family-button" disabled={!hasRun} onClick={() => open('family')}>
        <ListTree size={13} aria-hidden /> Family
      </button>
      <UndoButton hasRun={hasRun} onOpen={() => open('rollback')} />
      <span className={styles['spring']} />
      <CodeButton />
      <span>{shown === 1 ? '1 node' : `${shown} nodes`}</span>
    </footer>
  )
}

/** The way to the workflow as text. */
function CodeButton() {
  const designer = useDesigner()
  const isCodeOpen = useView((state) => state.panels.isCodeOpen)
  return (
    <button
      type="button"
      data-testid="code-button"
      aria-pressed={isCodeOpen}
      onClick={() => designer.view.getState().setPanels({ isCodeOpen: !isCodeOpen })}
    >
      <CodeXml size={13} aria-hidden /> {codeWords.title}
    </button>
  )
}

function countWords(errors: number, warnings: number): string {
  const parts: string[] = []
  if (errors > 0) parts.push(errors === 1 ? '1 error' : `${errors} errors`)
  if (warnings > 0) parts.push(warnings === 1 ? '1 warning' : `${warnings} warnings`)
  return parts.join(', ')
}

/** How much could be undone; the way to what would stay, or to what was undone of the shown run. */
function UndoButton({ hasRun, onOpen }: { readonly hasRun: boolean; readonly onOpen: () => void }) {
  const { effects, undoable } = useSagaEffects()
  const total = effects.length
  return (
    <button
      type="button"
      data-testid="rollback-button"
      data-tone={undoable < total ? 'wait' : undefined}
      disabled={!hasRun && total === 0}
      title={coverageSentence({ effects, undoable })}
      onClick={onOpen}
    >
      <Undo2 size={13} aria-hidden />
      {total === 0 ? 'Undo' : fill(coverage.short, { undoable, total })}
    </button>
  )
}
