/** Another workflow: picked from the library by its name, or named by id, path or expression. */

import { ArrowUpRight } from 'lucide-react'
import { useState } from 'react'
import { useDesigner, useDocument } from '../../state/context.ts'
import { openPath } from '../../state/files.ts'
import { workflows } from '../../text/messages.ts'
import { Button } from '../../ui/Button.tsx'
import controls from '../../ui/controls.module.css'
import { useAnswer } from '../../ui/use-answer.ts'
import { useForm } from '../form-context.ts'
import styles from '../forms.module.css'
import { knownWorkflows, referencedWorkflow } from '../referenced-workflow.ts'
import { TemplateField } from './TemplateField.tsx'
import type { WidgetProps } from './widget-props.ts'

const other = ' other'

export function WorkflowField(props: WidgetProps) {
  const { value, path, id, isInvalid, onChange } = props
  const designer = useDesigner()
  const { isReadOnly, onLeave } = useForm()
  const own = useDocument(({ history }) => history.document.id)
  const file = useDocument((state) => state.path)
  const [isFree, setFree] = useState(false)
  const entries = useAnswer('library.list', {})
  const reference = typeof value === 'string' ? value : ''
  const known = knownWorkflows(entries ?? []).filter((entry) => entry.id !== own)
  const chosen = referencedWorkflow(known, reference, file)
  // Until the library has answered, nobody knows whether the name is one of its workflows.
  const isOther = isFree || (entries !== null && chosen === null && reference !== '')
  const choose = (next: string): void => {
    setFree(next === other)
    if (next !== other) onChange(next, path)
    onLeave()
  }
  return (
    <div className={styles['stack']}>
      <select
        id={id}
        className={controls['field']}
        disabled={isReadOnly}
        aria-invalid={isInvalid}
        data-testid="workflow-choice"
        value={isOther ? other : (chosen?.id ?? '')}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        <option value="">{workflows.choose}</option>
        {known.map((entry) => (
          <option key={entry.id} value={entry.id}>
            {entry.shown}
          </option>
        ))}
        <option value={other}>{workflows.other}</option>
      </select>
      {isOther && <TemplateField {...props} id={`${id}-other`} label={workflows.reference} />}
      {chosen !== null && !isOther && (
        <Button
          isSmall
          kind="quiet"
          icon={ArrowUpRight}
          testId="workflow-open"
          onClick={() => void openPath(designer, chosen.path)}
        >
          Open it
        </Button>
      )}
    </div>
  )
}
