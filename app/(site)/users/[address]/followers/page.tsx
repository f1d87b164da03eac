import { FollowsPage, type FollowsProps, followsMetadata } from '../_profile/follows-page.tsx'

export function generateMetadata(props: FollowsProps) {
  return followsMetadata(props, 'followers')
}

export default function FollowersPage(props: FollowsProps) {
  return <FollowsPage {...props} direction="followers" />
}
