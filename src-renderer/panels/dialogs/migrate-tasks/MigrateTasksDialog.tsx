/** Steps that were set up for other versions of their tasks: what each would become, and which of them do. */

import { ArrowUpFromLine } from 'lucide-react'
import { useState } from 'react'
import type { TaskUse } from '../../../../src-engine/model/task-versions.ts'
import { useDesigner } from '../../../state/context.ts'
import type { Designer } from '../../../state/designer.ts'
import type { Foreseen } from '../../../state/task-versions.ts'
import { follow, usesToFollow } from '../../../state/task-versions.ts'
import { fill } from '../../../text/messages.ts'
import { taskWords as words } from '../../../text/task-words.ts'
import { Modal } from '../../../ui/Modal.tsx'
import styles from '../dialogs.module.css'
import { SendFooter } from '../SendFooter.tsx'
import { useSending } from '../use-sending.ts'
import { MigratedStep } from './MigratedStep.tsx'
import own from './MigrateTasks.module.css'
import { useForeseen } from './use-foreseen.ts'

export function MigrateTasksDialog() {
  const designer = useDesigner()
  // What stood there when the dialog opened is what was looked at.
  const [uses] = useState(() => usesToFollow(designer))
  const [chosen, setChosen] = useState(() => beginning(designer, uses))
  const foreseen = useForeseen(uses)
  const close = (): void => designer.view.getState().setDialog(null)
  const ready = uses.flatMap((use, index) => {
    const came = foreseen[index]
    return came?.kind === 'ready' && chosen.has(use) ? [came.followed] : []
  })
  const sending = useSending(async () => follow(designer, ready), close)
  const choose = (use: TaskUse, isChosen: boolean): void => {
    const others = [...chosen].filter((one) => one !== use)
    setChosen(new Set(isChosen ? [...others, use] : others))
  }
  return (
    <Modal title={words.migrateTitle} onClose={close} testId="migrate-dialog" width={620}>
      <form
        className={styles['body']}
        onSubmit={(event) => {
          event.preventDefault()
          if (ready.length > 0) void sending.send()
        }}
      >
        <p>{uses.length === 0 ? words.allFollow : words.migrateLead}</p>
        <ul className={own['steps']} data-testid="migrate-steps">
          {uses.map((use, index) => (
            <MigratedStep
              key={`${use.nodeId} ${use.place}`}
              use={use}
              foreseen={foreseen[index] ?? null}
              isChosen={chosen.has(use)}
              onChoose={(isChosen) => choose(use, isChosen)}
            />
          ))}
        </ul>
        <SendFooter
          sending={sending}
          label={labelOf(ready.length)}
          icon={ArrowUpFromLine}
          testId="migrate-send"
          isDisabled={ready.length === 0 || isAsking(foreseen, chosen, uses)}
          onClose={close}
        />
      </form>
    </Modal>
  )
}

/** The selected steps where some are, else all; those of which nobody knows what they were set up for only by choice. */
function beginning({ view }: Designer, uses: readonly TaskUse[]): ReadonlySet<TaskUse> {
  const { nodes } = view.getState().selection
  const selected = uses.filter(({ nodeId }) => nodes.includes(nodeId))
  if (selected.length > 0) return new Set(selected)
  return new Set(uses.filter(({ gap }) => gap === 'behind'))
}

/** What is chosen and not answered yet would be left out without a word. */
const isAsking = (
  foreseen: readonly (Foreseen | null)[],
  chosen: ReadonlySet<TaskUse>,
  uses: readonly TaskUse[],
): boolean => uses.some((use, index) => chosen.has(use) && (foreseen[index] ?? null) === null)

const labelOf = (count: number): string =>
  count === 0 ? words.migrateNone : count === 1 ? words.migrateOne : fill(words.migrateMany, { count })
