import { FollowsPage, type FollowsProps, followsMetadata } from '../_profile/follows-page.tsx'

export const generateMetadata = (props: FollowsProps) => followsMetadata(props, 'followers')

export default function FollowersPage(props: FollowsProps) {
  return <FollowsPage {...props} direction="followers" />
}
