/** Which step of a copy a replay or a resume begins with. */

import type { NodeId } from '../../src-engine/model/ids.ts'
import styles from '../panels/dialogs/push/Push.module.css'
import { useDesigner, useDocument } from '../state/context.ts'
import { useShownDocument } from '../state/selectors.ts'
import type { Choice } from '../state/teleport.ts'
import { teleportWords as words } from '../text/teleport-words.ts'
import controls from '../ui/controls.module.css'
import { stepChoices } from './step-choices.ts'

export function StepSelect(props: {
  readonly choice: Choice
  /** What it begins with when no step is chosen. */
  readonly otherwise: string
  readonly onChange: (nodeId: NodeId | null) => void
}) {
  const { choice, otherwise, onChange } = props
  const { specs } = useDesigner()
  const shown = useShownDocument()
  const open = useDocument(({ history }) => history.document)
  const steps = stepChoices(choice.version === 'open' ? open : shown, specs)
  return (
    <label className={styles['choice']}>
      {words.beginWith}
      <select
        className={controls['field']}
        data-testid="teleport-step"
        value={choice.nodeId ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange(steps.find(({ nodeId }) => nodeId === value)?.nodeId ?? null)
        }
      >
        <option value="">{otherwise}</option>
        {steps.map(({ nodeId, name }) => (
          <option key={nodeId} value={nodeId}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
