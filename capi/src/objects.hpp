// The world-free objects behind the opaque pointers: reference-counted, unchanging after creation, readable by any thread.
// Their contents are held by shared pointers, so that figures and workspaces keep them alive on their own.
#pragma once
#include <atomic>
#include <memory>
#include <mutex>

#include "capi/src/guard.hpp"
#include "engine/figure/figure_model.hpp"
#include "engine/figure/markers.hpp"
#include "engine/figure/motion.hpp"
#include "engine/figure/skeleton.hpp"
#include "engine/figure/trajectory.hpp"
#include "engine/retarget/online.hpp"
#include "engine/retarget/role_map.hpp"
#include "loaders/diagnostics.hpp"

namespace vertebra::capi {

// Of a skeleton with a free root; made when it is first asked for, from any thread. So the points of its surface are found once.
class FreeModel {
 public:
  std::shared_ptr<const figure::FigureModel> of(const std::shared_ptr<const figure::Skeleton>& skeleton) const {
    std::call_once(made_, [&] { model_ = figure::makeFigureModel(skeleton, figure::BaseKind::Floating); });
    return model_;
  }

 private:
  mutable std::once_flag made_;
  mutable std::shared_ptr<const figure::FigureModel> model_;
};

}  // namespace vertebra::capi

struct vtb_skeleton {
  std::shared_ptr<const vertebra::figure::Skeleton> model;
  std::atomic<std::size_t> references{1};
  vertebra::capi::FreeModel lazyModel{};

  std::shared_ptr<const vertebra::figure::FigureModel> freeModel() const { return lazyModel.of(model); }
};

struct vtb_motion {
  std::shared_ptr<const vertebra::figure::Motion> clip;
  std::atomic<std::size_t> references{1};
};

struct vtb_trajectory {
  std::shared_ptr<const vertebra::figure::Trajectory> frames;
  std::atomic<std::size_t> references{1};
};

struct vtb_retargeter {
  std::unique_ptr<vertebra::retarget::Online> online;
};

struct vtb_retarget_map {
  vertebra::retarget::RoleMap names;
};

struct vtb_markers {
  std::shared_ptr<const vertebra::figure::MarkerRecord> record;
  std::atomic<std::size_t> references{1};
};

struct vtb_diagnostics {
  vertebra::Diagnostics list;
};

namespace vertebra::capi {

template <class Object>
void retain(Object& object) noexcept {
  object.references.fetch_add(1, std::memory_order_relaxed);
}
template <class Object>
void release(Object* object) noexcept {
  if (object && object->references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete object;
}

std::string firstErrorText(const Diagnostics& findings);  // "file:line: [code] element: message"

// How a loading function ends. Runs load(findings) -> shared pointer (null: the text makes no sense) and hands the findings to the
// caller on success and on VTB_E_PARSE, the object on success only.
template <class Object, class Load>
void deliver(vtb_diagnostics** diagnostics, Object** out, Load&& load) {
  auto findings = std::make_unique<vtb_diagnostics>();
  auto content = load(findings->list);
  std::unique_ptr<Object> object(content ? new Object{std::move(content)} : nullptr);
  const std::string error = object ? "" : firstErrorText(findings->list);
  if (diagnostics) *diagnostics = findings.release();
  if (!object) refuse(VTB_E_PARSE, error);
  *out = object.release();
}

// Refuses with VTB_E_IO, and the reason, a path that cannot be opened and read.
void requireReadable(const char* path);

}  // namespace vertebra::capi
