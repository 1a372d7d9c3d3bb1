/** The settings of engines in a scene: many slots, a fixed heartbeat. */

import { engineSettings } from '../../../../src-engine/model/settings/engine-settings.ts'

export type SettingValues = NonNullable<Parameters<typeof engineSettings>[0]>

export const sceneSettings = (values: SettingValues) =>
  engineSettings({ claimTtlMs: 30_000, heartbeatIntervalMs: 7_500, deadProcessCheckMs: 2_000, ...values })
