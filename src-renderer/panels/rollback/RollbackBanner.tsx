/** Above the canvas: how far undoing the shown run has come. */

import { Undo2 } from 'lucide-react'
import { useMemo } from 'react'
import { useDesigner, useRuns } from '../../state/context.ts'
import { rollbackOf } from '../../state/rollback.ts'
import { shownModel } from '../../state/runs-store.ts'
import { useIsRewinding, useShownDone } from '../../state/use-rewound.ts'
import { rollback as words } from '../../text/saga-words.ts'
import { Button } from '../../ui/Button.tsx'
import panels from '../panels.module.css'
import { movingSentence, rollbackSentence } from './rollback-words.ts'
import { useHasRewindCard } from './use-rewind-card.ts'

export function RollbackBanner() {
  const designer = useDesigner()
  const model = useRuns(({ current }) => (current === null ? null : shownModel(current)))
  const rollback = useMemo(() => (model === null ? null : rollbackOf(model)), [model])
  const hasCard = useHasRewindCard()
  const isRewinding = useIsRewinding()
  const done = useShownDone()
  if (rollback === null || hasCard) return null
  // While it is still being shown, its end isn't told yet.
  const isFailed = !isRewinding && rollback.status === 'COMPENSATION_FAILED'
  const show = (): void => designer.view.getState().setPanels({ isBottomOpen: true, bottomTab: 'rollback' })
  return (
    <div
      className={panels['banner']}
      data-tone={isFailed ? 'bad' : 'repair'}
      data-testid="run-rollback"
      role={isFailed ? 'alert' : undefined}
    >
      <Undo2 size={15} aria-hidden />
      <p>{isRewinding ? movingSentence(rollback, done) : rollbackSentence(rollback)}</p>
      <Button isSmall testId="run-rollback-show" onClick={show}>
        {words.show}
      </Button>
    </div>
  )
}
