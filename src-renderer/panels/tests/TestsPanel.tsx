/** The tests of the workflow: play them, see what came otherwise and where, and say what is meant from now on. */

import { CircleCheck, CircleDashed, CircleX, FlaskConical, Play, RefreshCw, Trash2 } from 'lucide-react'
import { useEffect } from 'react'
import type { TestSummary } from '../../../src-engine/protocol/workflow-tests.ts'
import { commandOf, runCommand } from '../../commands/registry.ts'
import { useDesigner, useDocument, useRuns, useTests } from '../../state/context.ts'
import { leftAlone } from '../../state/crash.ts'
import { isSameRehearsal } from '../../state/rehearse.ts'
import type { PlayedTest } from '../../state/tests-store.ts'
import { loadTests, playTests, removeTest, updateTest } from '../../state/workflow-tests.ts'
import { fill } from '../../text/messages.ts'
import { testWords as words } from '../../text/test-words.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { useEnabled } from '../../ui/use-enabled.ts'
import { Differences } from './Differences.tsx'
import styles from './Tests.module.css'

export function TestsPanel() {
  const designer = useDesigner()
  const path = useDocument((state) => state.path)
  const known = useTests((state) => state)
  useEffect(() => {
    if (path !== null) void loadTests(designer, path)
  }, [designer, path])
  if (path === null) return <None text={words.unsaved} />
  if (known.path !== path || (known.tests === null && known.error === null)) return null
  if (known.error !== null) {
    return <None text={`${words.unreadable} ${known.error.message}`} hint={known.error.hint} isBad />
  }
  if (known.tests === null || known.tests.length === 0) {
    return <None text={words.empty} hint={words.emptyHint} />
  }
  return <List tests={known.tests} />
}

function None({
  text,
  hint,
  isBad,
}: {
  readonly text: string
  readonly hint?: string
  readonly isBad?: boolean
}) {
  return (
    <EmptyState
      icon={FlaskConical}
      text={hint === undefined ? text : `${text} ${hint}`}
      testId="tests-none"
      {...(isBad === true ? { tone: 'bad' } : {})}
    >
      {isBad !== true && <KeepButton />}
    </EmptyState>
  )
}

function KeepButton() {
  const designer = useDesigner()
  const mayKeep = useEnabled(commandOf('run.keepTest'))
  const cluster = useRuns(leftAlone)
  return (
    <>
      {cluster !== null && (
        <span className={styles['not']} data-testid="keep-not">
          {fill(words.keepNotThere, { name: cluster })}
        </span>
      )}
      <Button
        isSmall
        icon={FlaskConical}
        testId="keep-test"
        disabled={!mayKeep}
        onClick={() => runCommand(designer, 'run.keepTest')}
      >
        {words.keep}
      </Button>
    </>
  )
}

function List({ tests }: { readonly tests: readonly TestSummary[] }) {
  const designer = useDesigner()
  const isPlaying = useTests((state) => state.isPlaying)
  const played = useTests((state) => state.played)
  const results = tests.flatMap(({ name }) => played.get(name)?.result ?? [])
  const failed = results.filter(({ isPassed }) => !isPassed).length
  return (
    <div className={styles['panel']} data-testid="tests">
      <header className={styles['head']}>
        <span className={styles['summary']} data-testid="tests-summary">
          {results.length > 0 && (
            <>
              <b data-tone="good">{fill(words.passed, { count: results.length - failed })}</b>
              {failed > 0 && <b data-tone="bad">{fill(words.failed, { count: failed })}</b>}
            </>
          )}
        </span>
        <KeepButton />
        <Button
          isSmall
          kind="primary"
          icon={Play}
          testId="play-tests"
          disabled={isPlaying}
          onClick={() => void playTests(designer, null)}
        >
          {isPlaying ? words.playing : words.play}
        </Button>
      </header>
      <ul className={styles['list']} aria-label={words.tab}>
        {tests.map((test) => (
          <Row key={test.name} test={test} played={played.get(test.name) ?? null} />
        ))}
      </ul>
    </div>
  )
}

function Row({ test, played }: { readonly test: TestSummary; readonly played: PlayedTest | null }) {
  const designer = useDesigner()
  const { name, status, steps } = test
  const isOld = useDocument(
    ({ history }) => played !== null && !isSameRehearsal(history.document, played.document),
  )
  const result = played?.result ?? null
  const tone = result === null || isOld ? 'neutral' : result.isPassed ? 'good' : 'bad'
  const Icon = tone === 'neutral' ? CircleDashed : tone === 'good' ? CircleCheck : CircleX
  return (
    <li className={styles['row']} data-tone={tone} data-testid={`test-${name}`}>
      <div className={styles['line']}>
        <Icon
          size={15}
          aria-label={tone === 'neutral' ? words.untried : tone === 'good' ? 'passed' : 'failed'}
        />
        <b>{name}</b>
        <small>{isOld ? words.untried : fill(words.steps, { status, count: steps })}</small>
        <span className={styles['spring']} />
        {result !== null && !result.isPassed && result.error === null && (
          <Button
            isSmall
            icon={RefreshCw}
            testId="update-test"
            onClick={() => void updateTest(designer, name)}
          >
            {words.update}
          </Button>
        )}
        <IconButton
          icon={Play}
          label={fill(words.playOne, { name })}
          onClick={() => void playTests(designer, name)}
        />
        <IconButton
          icon={Trash2}
          label={fill(words.remove, { name })}
          onClick={() => void removeTest(designer, name)}
        />
      </div>
      {result !== null && !isOld && <Differences differences={result.differences} error={result.error} />}
    </li>
  )
}
