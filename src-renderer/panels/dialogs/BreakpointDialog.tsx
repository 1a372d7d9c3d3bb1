/** The breakpoint of a step, and the condition under which it counts. */

import { useState } from 'react'
import { breakpointNthMax } from '../../../src-engine/model/breakpoint.ts'
import { nodeId } from '../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { inputJsonSchema } from '../../../src-engine/model/schema-walk.ts'
import { FormProvider } from '../../forms/FormProvider.tsx'
import { ObjectForm } from '../../forms/SchemaForm.tsx'
import { useBreakpoints, useDesigner, useDocument } from '../../state/context.ts'
import { putBreakpoint } from '../../state/debugging.ts'
import { debugWords as words } from '../../text/debug-words.ts'
import { fill } from '../../text/messages.ts'
import { Button } from '../../ui/Button.tsx'
import { Modal } from '../../ui/Modal.tsx'
import { useNodeForm } from '../inspector/use-node-form.ts'
import styles from './dialogs.module.css'

export function BreakpointDialog() {
  const id = useBreakpoints((state) => state.asked)
  const node = useDocument((state) => (id === null ? undefined : state.history.document.nodes[id]))
  return id === null || node === undefined ? null : <OfNode id={id} title={node.title ?? id} />
}

/** The kind whose one parameter is a condition: its form has what an expression needs. */
const conditionKind = 'if'

const timeSchema: JsonObject = {
  type: 'object',
  properties: {
    nth: {
      type: 'integer',
      title: words.time,
      description: words.timeHint,
      minimum: 1,
      maximum: breakpointNthMax,
      expressions: false,
    },
  },
}

/** Null for each time, and for what is no number of a time. */
const timeOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= breakpointNthMax
    ? value
    : null

function OfNode({ id, title }: { readonly id: string; readonly title: string }) {
  const designer = useDesigner()
  const of = useDocument((state) => state.history.document.id)
  const point = useBreakpoints((state) => state.byWorkflow[of]?.[nodeId(id)] ?? null)
  const [condition, setCondition] = useState(point?.condition ?? '')
  const [nth, setNth] = useState(point?.nth ?? null)
  const form = useNodeForm(nodeId(id), false)
  const spec = designer.specs.get(conditionKind)
  const close = (): void => designer.view.getState().setDialog(null)
  const put = (isSet: boolean): void => {
    const written = condition.trim()
    const set = { condition: written === '' ? null : written, ...(nth === null ? {} : { nth }) }
    putBreakpoint(designer, nodeId(id), isSet ? set : null)
    close()
  }
  return (
    <Modal title={words.dialog} onClose={close} testId="breakpoint-dialog" width={520}>
      <form
        className={styles['body']}
        onSubmit={(event) => {
          event.preventDefault()
          put(true)
        }}
      >
        <p>{fill(words.dialogLead, { title })}</p>
        {spec !== undefined && (
          <FormProvider value={{ ...form, begins: 'breakpoint.condition' }}>
            <ObjectForm
              schema={{ ...inputJsonSchema(spec.parameters), required: [] }}
              value={{ condition }}
              path="breakpoint"
              onChange={(value) =>
                setCondition(typeof value['condition'] === 'string' ? value['condition'] : '')
              }
            />
          </FormProvider>
        )}
        <p>
          <small>{words.whenHint}</small>
        </p>
        <FormProvider value={{ ...form, nodeId: null }}>
          <ObjectForm
            schema={timeSchema}
            value={nth === null ? {} : { nth }}
            path="breakpoint"
            onChange={(value) => setNth(timeOf(value['nth']))}
          />
        </FormProvider>
        <footer>
          {point !== null && (
            <Button kind="quiet" testId="breakpoint-clear" onClick={() => put(false)}>
              {words.clear}
            </Button>
          )}
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" kind="primary" testId="breakpoint-set">
            {words.save}
          </Button>
        </footer>
      </form>
    </Modal>
  )
}
