/** Around a card on the way of a followed value: where it began, where it is, who reads it. */

import { memo } from 'react'
import { useFollowing, useRuns, useView } from '../state/context.ts'
import { followedRoleWords } from '../text/following-words.ts'
import styles from './FollowedMark.module.css'

/** Shown while the value is: another panel takes it off the canvas. */
export const FollowedMark = memo(function FollowedMark({ id }: { readonly id: string }) {
  const runId = useRuns(({ current }) => current?.runId ?? null)
  const isShown = useView(({ panels }) => panels.isBottomOpen && panels.bottomTab === 'value')
  const role = useFollowing(({ marks }) => (runId === null ? null : (marks.get(runId)?.get(id) ?? null)))
  if (role === null || !isShown) return null
  return (
    <span className={styles['mark']} data-role={role} data-testid={`followed-${id}`}>
      <b>{followedRoleWords[role]}</b>
    </span>
  )
})
