/** The settings of engines in a scene: many slots, a fixed heartbeat. */

import { engineSettings } from '../../../../src-engine/model/settings/engine-settings.ts'

export type SettingValues = NonNullable<Parameters<typeof engineSettings>[0]>

/**
 * Of engines on connections of their own, for whom a look is a dozen round trips: they were most of what a scene did.
 * Hints and planned wake-ups have to do instead, as they mostly do anyway.
 */
const seldomLooks: SettingValues = { deadProcessCheckMs: 15_000, pollIntervalMs: 15_000 }

export const sceneSettings = (values: SettingValues, { isConnected = false } = {}) =>
  engineSettings({
    ...{ claimTtlMs: 30_000, heartbeatIntervalMs: 7_500, deadProcessCheckMs: 2_000 },
    ...(isConnected ? seldomLooks : {}),
    ...values,
  })
