/** Of a step of a task with code: a button that tries the task with nothing sent, and what came of it. */

import { CircleCheck, CircleX, FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import { recordOfThrown } from '../../../src-engine/model/errors.ts'
import type { ContractCheck } from '../../../src-engine/protocol/custom-tasks.ts'
import { useDesigner } from '../../state/context.ts'
import { contractParts, taskWords as words } from '../../text/task-words.ts'
import { Button } from '../../ui/Button.tsx'
import styles from './Inspector.module.css'

export function TaskContract({ kind }: { readonly kind: string }) {
  const designer = useDesigner()
  const face = useStore(designer.customTasks, ({ folder }) => folder.code.find((one) => one.kind === kind))
  const [came, setCame] = useState<readonly ContractCheck[] | string | null>(null)
  const [isUnderWay, setUnderWay] = useState(false)
  if (face === undefined) return null
  const test = async (): Promise<void> => {
    setUnderWay(true)
    try {
      setCame((await designer.connection.call('tasks.test', { kind })).checks)
    } catch (thrown) {
      setCame(recordOfThrown(thrown).message)
    } finally {
      setUnderWay(false)
    }
  }
  return (
    <div className={styles['contract']}>
      <Button
        icon={FlaskConical}
        isSmall
        testId="task-test"
        disabled={isUnderWay}
        onClick={() => void test()}
      >
        {words.test}
      </Button>
      <output data-testid="task-checks">
        {typeof came === 'string' && <p>{came}</p>}
        {Array.isArray(came) && <Checks checks={came} />}
      </output>
    </div>
  )
}

function Checks({ checks }: { readonly checks: readonly ContractCheck[] }) {
  return (
    <ul>
      {checks.map(({ what, isPassed, message }) => {
        const Mark = isPassed ? CircleCheck : CircleX
        return (
          <li key={what} data-passed={isPassed}>
            <Mark size={14} aria-label={isPassed ? words.passed : words.failed} />
            <span>
              {contractParts[what]} <code>{message}</code>
            </span>
          </li>
        )
      })}
    </ul>
  )
}
