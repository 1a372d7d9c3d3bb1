/** The form that steps of a task will have, with what its fields begin with. */

import type { CustomTask } from '../../../../src-engine/model/custom-task.ts'
import { customTaskSpec } from '../../../../src-engine/model/custom-task.ts'
import { inputJsonSchema } from '../../../../src-engine/model/schema-walk.ts'
import type { TaskSpec } from '../../../../src-engine/model/task-spec.ts'
import { FormProvider } from '../../../forms/FormProvider.tsx'
import { ObjectForm } from '../../../forms/SchemaForm.tsx'
import { taskWords as words } from '../../../text/task-words.ts'
import { TaskIcon } from '../../../ui/TaskIcon.tsx'
import own from './SaveTask.module.css'

const looked = { nodeId: null, problems: [], isReadOnly: true, isPreviewed: false, onLeave: () => undefined }

export function TaskPreview({ task, base }: { readonly task: CustomTask; readonly base: TaskSpec }) {
  const spec = customTaskSpec(task, base)
  return (
    <section className={own['preview']} aria-label={words.preview} data-testid="task-preview">
      <header data-category={spec.category}>
        <span className={own['tile']}>
          <TaskIcon name={spec.icon} size={16} />
        </span>
        <b>{task.title === '' ? base.title : task.title}</b>
      </header>
      <p>{spec.description}</p>
      {task.open.length === 0 && task.inputForm === undefined ? (
        <p data-testid="task-no-fields">{words.noFields}</p>
      ) : (
        <FormProvider value={looked}>
          <ObjectForm
            schema={inputJsonSchema(spec.parameters)}
            value={spec.defaults}
            path="preview"
            onChange={() => undefined}
          />
        </FormProvider>
      )}
    </section>
  )
}
