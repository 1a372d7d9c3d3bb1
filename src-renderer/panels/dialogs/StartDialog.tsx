/** What a run starts with, asked by the workflow's own form. The last answers are remembered. */

import { Pin, Play } from 'lucide-react'
import { useState } from 'react'
import { SagasmithError } from '../../../src-engine/model/errors.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { isJsonObject } from '../../../src-engine/model/json.ts'
import { FormProvider } from '../../forms/FormProvider.tsx'
import { SettingsForm } from '../../forms/SettingsForm.tsx'
import { fixedValues, withField } from '../../forms/schema-fields.ts'
import { useDesigner, useDocument, useSites } from '../../state/context.ts'
import { startRun } from '../../state/follow-runs.ts'
import { inputDefaults } from '../../state/run-input.ts'
import type { Memory } from '../../state/services.ts'
import type { Site } from '../../state/site.ts'
import { isHere } from '../../state/site-lines.ts'
import { fill } from '../../text/messages.ts'
import { coverage } from '../../text/saga-words.ts'
import { siteWords } from '../../text/site-words.ts'
import controls from '../../ui/controls.module.css'
import { Modal } from '../../ui/Modal.tsx'
import { useCoverage } from '../rollback/CoverageView.tsx'
import styles from './dialogs.module.css'

const noProblems = { nodeId: null, problems: [], isReadOnly: false, onLeave: () => undefined }

export function StartDialog() {
  const designer = useDesigner()
  const document = useDocument((state) => state.history.document)
  const schema = fixedValues(document.input ?? {})
  const site = useSites((state) => state.startAt)
  const [value, setValue] = useState<JsonObject>(() => remembered(designer.memory, document.id))
  const [problem, setProblem] = useState<string | null>(null)
  const close = (): void => designer.view.getState().setDialog(null)
  const start = async (): Promise<void> => {
    const input = { ...inputDefaults(schema), ...value }
    try {
      await startRun(designer, input, site)
      designer.memory.write(`sagasmith.input.${document.id}`, JSON.stringify(value))
      close()
    } catch (error) {
      setProblem(error instanceof SagasmithError ? `${error.message} ${error.hint}` : String(error))
    }
  }
  return (
    <Modal
      title={isHere(designer, site) ? `Run ${document.title}` : `Run ${document.title} on ${whereOf(site)}`}
      onClose={close}
      testId="start-dialog"
    >
      <form
        className={styles['body']}
        onSubmit={(event) => {
          event.preventDefault()
          void start()
        }}
      >
        <FormProvider value={noProblems}>
          <SettingsForm
            schema={schema}
            value={value}
            onChange={(key, next) => setValue(withField(value, key, next))}
          />
        </FormProvider>
        <WouldStay />
        {problem !== null && (
          <p className={styles['problem']} role="alert">
            {problem}
          </p>
        )}
        <footer>
          <button type="button" className={controls['button']} onClick={close}>
            Cancel
          </button>
          <button type="submit" className={controls['button']} data-kind="primary" data-testid="start-button">
            <Play size={13} fill="currentColor" aria-hidden /> Run
          </button>
        </footer>
      </form>
    </Modal>
  )
}

/** What can't be undone is told before, not after. */
function WouldStay() {
  const { effects } = useCoverage()
  const nodes = useDocument((state) => state.history.document.nodes)
  const staying = effects.filter(({ plan }) => plan === 'impossible')
  if (staying.length === 0) return null
  const titles = staying.map(({ nodeId, reason }) => `“${nodes[nodeId]?.title ?? nodeId}” (${reason ?? ''})`)
  return (
    <p className={styles['stays']} data-testid="would-stay">
      <Pin size={13} aria-hidden /> {fill(coverage.before, { titles: titles.join(', ') })}
    </p>
  )
}

const whereOf = (site: Site): string => site?.name ?? siteWords.local.toLowerCase()

function remembered(memory: Memory, id: string): JsonObject {
  try {
    const value: unknown = JSON.parse(memory.read(`sagasmith.input.${id}`) ?? '{}')
    return isJsonObject(value) ? value : {}
  } catch {
    // Not ours: start with an empty form.
    return {}
  }
}
