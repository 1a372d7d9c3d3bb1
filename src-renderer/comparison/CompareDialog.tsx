/** Two runs of one workflow side by side: where they part, and what each step did in them. */

import { ArrowLeftRight } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { divergenceText } from '../../src-engine/model/comparison/comparison-words.ts'
import type { ErrorRecord } from '../../src-engine/model/errors.ts'
import { recordOfThrown } from '../../src-engine/model/errors.ts'
import type { RunId } from '../../src-engine/model/ids.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'
import { runTookMs } from '../../src-engine/model/run-time.ts'
import type { LoadedComparison } from '../../src-engine/protocol/load-comparison.ts'
import { DiffCanvas } from '../canvas/diff/DiffCanvas.tsx'
import styles from '../panels/dialogs/push/Push.module.css'
import { comparisonOf, runsBeside } from '../state/begin-comparison.ts'
import { useDesigner, useView } from '../state/context.ts'
import type { ComparedRuns } from '../state/view-store.ts'
import { runLook } from '../status/run-look.ts'
import { comparisonMarks, comparisonWords as words } from '../text/comparison-words.ts'
import { fill } from '../text/messages.ts'
import { Button } from '../ui/Button.tsx'
import controls from '../ui/controls.module.css'
import { IconButton } from '../ui/IconButton.tsx'
import { Modal } from '../ui/Modal.tsx'
import { momentWords, spanWords } from '../ui/time-words.ts'
import { ComparedSteps, walkSteps } from './ComparedSteps.tsx'
import own from './Comparison.module.css'
import { comparisonGraph } from './comparison-graph.ts'

const names = { before: words.beforeName, after: words.afterName }

export function CompareDialog() {
  const comparing = useView((state) => state.comparing)
  return comparing === null ? null : <Dialog key={comparing.after} asked={comparing} />
}

function Dialog({ asked }: { readonly asked: ComparedRuns }) {
  const designer = useDesigner()
  const [runs, setRuns] = useState<Pick<ComparedRuns, 'before' | 'after'>>(asked)
  const { value, error } = useComparison({ ...runs, site: asked.site })
  const close = (): void => designer.view.getState().setDialog(null)
  const title = value?.after.run.workflowTitle ?? ''
  const { before } = runs
  return (
    <Modal
      title={title === '' ? words.asking : fill(words.title, { title })}
      onClose={close}
      testId="compare-dialog"
      width={1180}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys of the buttons inside */}
      <div className={styles['dialog']} onKeyDown={walkSteps}>
        {value !== null && (
          <Head
            value={value}
            asked={asked}
            onChoose={(id) => setRuns({ ...runs, before: id })}
            onSwap={() => before !== null && setRuns({ before: runs.after, after: before })}
          />
        )}
        <div className={styles['look']} data-status={value === null ? 'asking' : 'known'}>
          {error !== null && (
            <p className={styles['failed']} role="alert">{`${error.message} ${error.hint}`}</p>
          )}
          {before === null && <p className={styles['wait']}>{words.none}</p>}
          {value === null && error === null && before !== null && (
            <output className={styles['wait']}>{words.asking}</output>
          )}
          {value !== null && <Look key={value.before.run.id} value={value} />}
        </div>
        <div className={styles['end']}>
          <footer>
            <Button kind="primary" onClick={close}>
              {words.close}
            </Button>
          </footer>
        </div>
      </div>
    </Modal>
  )
}

interface Told {
  readonly value: LoadedComparison | null
  readonly error: ErrorRecord | null
}

const untold: Told = { value: null, error: null }

/** Asked again when another run is chosen. */
function useComparison({ before, after, site }: ComparedRuns): Told {
  const designer = useDesigner()
  const [told, setTold] = useState<Told>(untold)
  useEffect(() => {
    if (before === null) return undefined
    let isShown = true
    const tell = (next: Told): void => {
      if (isShown) setTold(next)
    }
    comparisonOf(designer, site, { before, after })
      .then((value) => tell({ value, error: null }))
      .catch((thrown: unknown) => tell({ value: null, error: recordOfThrown(thrown) }))
    return () => {
      isShown = false
    }
  }, [designer, site, before, after])
  return told
}

/** Which runs they are, and the choice of another one. */
function Head(props: {
  readonly value: LoadedComparison
  readonly asked: ComparedRuns
  readonly onChoose: (id: RunId) => void
  readonly onSwap: () => void
}) {
  const { value, asked, onChoose, onSwap } = props
  const designer = useDesigner()
  const { run } = value.after
  const [others, setOthers] = useState<readonly RunRecord[]>([])
  useEffect(() => {
    let isShown = true
    runsBeside(designer, { site: asked.site, run })
      .then((found) => {
        if (isShown) setOthers(found)
      })
      // Then there is no other run to choose than the one that is shown.
      .catch(() => undefined)
    return () => {
      isShown = false
    }
  }, [designer, asked.site, run])
  const chosen = value.before.run
  const choices = others.some(({ id }) => id === chosen.id) ? others : [chosen, ...others]
  return (
    <div className={styles['choice']}>
      <label htmlFor="compare-other">{words.which}</label>
      <select
        id="compare-other"
        className={controls['field']}
        data-testid="compare-other"
        value={chosen.id}
        onChange={(event) => {
          const found = choices.find(({ id }) => id === event.currentTarget.value)
          if (found !== undefined) onChoose(found.id)
        }}
      >
        {choices.map((one) => (
          <option key={one.id} value={one.id}>
            {runText(one)}
          </option>
        ))}
      </select>
      <IconButton icon={ArrowLeftRight} label={words.swap} onClick={onSwap} data-testid="compare-swap" />
      <span className={own['after']}>{`${words.after}: ${runText(run)}`}</span>
    </div>
  )
}

function runText(run: RunRecord): string {
  const tookMs = runTookMs(run)
  const took = tookMs === null ? '' : `, ${spanWords(tookMs)}`
  return `${momentWords(run.createdAt)}: ${runLook(run).label}${took}`
}

function Look({ value }: { readonly value: LoadedComparison }) {
  const graph = useMemo(() => comparisonGraph(value), [value])
  const [selected, setSelected] = useState<string | null>(value.divergence?.nodeId ?? null)
  return (
    <>
      <div className={styles['picture']}>
        <DiffCanvas
          graph={graph}
          label={words.canvas}
          words={comparisonMarks}
          selected={selected}
          onSelect={setSelected}
        />
      </div>
      <div className={styles['words']} data-testid="compare-words">
        <h3>{value.divergence === null ? words.same : words.part}</h3>
        <p className={own['part']} data-testid="compare-part">
          {divergenceText(value, names)}
        </p>
        <ComparedSteps value={value} selected={selected} onSelect={setSelected} />
      </div>
    </>
  )
}
