/** That a step was set up for another version of its task than is here, and the ways out. */

import { History, TriangleAlert } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { NodeId } from '../../../src-engine/model/ids.ts'
import type { TaskPlace, TaskUse } from '../../../src-engine/model/task-versions.ts'
import { usesOfNode } from '../../../src-engine/model/task-versions.ts'
import { runCommand } from '../../commands/registry.ts'
import { useDesigner, useView } from '../../state/context.ts'
import { pendingFor } from '../../state/field-wish.ts'
import { useReadOnly, useShownDocument } from '../../state/selectors.ts'
import { isToFollow, keepParameters } from '../../state/task-versions.ts'
import { fill } from '../../text/messages.ts'
import { taskWords as words } from '../../text/task-words.ts'
import { Button } from '../../ui/Button.tsx'
import styles from './Inspector.module.css'

const fields = { step: 'taskVersion', undo: 'compensation.task.taskVersion' } as const

/** Nothing where the step is set up for the version that is here. */
export function StepVersion({ id, place }: { readonly id: NodeId; readonly place: TaskPlace }) {
  const designer = useDesigner()
  const node = useShownDocument(({ nodes }) => nodes[id])
  const isReadOnly = useReadOnly()
  const use =
    node === undefined
      ? undefined
      : usesOfNode(id, node, designer.specs).find((one) => one.place === place && isToFollow(one))
  return use === undefined || isReadOnly ? null : <Gap use={use} />
}

function Gap({ use }: { readonly use: TaskUse }) {
  const designer = useDesigner()
  const { gap, place, migrates, here } = use
  const note = useRef<HTMLDivElement>(null)
  const wish = useView(({ fieldWish }) => pendingFor(fieldWish, (wished) => wished === fields[place]))
  useEffect(() => {
    if (wish === null) return
    note.current?.querySelector('button')?.focus()
    designer.view.getState().grantField()
  }, [wish, designer])
  const madeFor = use.madeFor ?? words.unknownVersion
  const Mark = gap === 'unnoted' ? History : TriangleAlert
  return (
    <div ref={note} className={styles['version']} data-gap={gap} data-testid={`version-${place}`}>
      <p>
        <Mark size={14} aria-hidden /> {fill(words[gap === 'none' ? 'behind' : gap], { madeFor, here })}
      </p>
      <div>
        {migrates && gap !== 'ahead' && (
          <Button
            isSmall
            kind="primary"
            testId="version-migrate"
            onClick={() => runCommand(designer, 'edit.migrateTasks')}
          >
            {words.migrate}
          </Button>
        )}
        <Button
          isSmall
          testId="version-keep"
          title={fill(words.keepHint, { here })}
          onClick={() => keepParameters(designer, use)}
        >
          {fill(words.keep, { here })}
        </Button>
      </div>
    </div>
  )
}
