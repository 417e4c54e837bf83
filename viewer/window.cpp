// See window.hpp.
#include "viewer/window.hpp"

#include <cstdlib>

#include <osg/Notify>
#include <osgGA/GUIEventHandler>
#include <osgViewer/GraphicsWindow>
#include <osgViewer/Viewer>

namespace vertebra::viewer {

namespace {

using osgGA::GUIEventAdapter;

// OpenSceneGraph's events as ours.
class Listener : public osgGA::GUIEventHandler {
 public:
  std::vector<Event> events;

  bool handle(const GUIEventAdapter& given, osgGA::GUIActionAdapter&) override {
    Event event;
    event.x = 0.5 * (given.getXnormalized() + 1) * given.getWindowWidth();
    event.y = 0.5 * (1 - given.getYnormalized()) * given.getWindowHeight();
    const int keys = given.getModKeyMask();
    if (keys & GUIEventAdapter::MODKEY_SHIFT) event.modifiers |= VTB_VIEWER_SHIFT;
    if (keys & GUIEventAdapter::MODKEY_CTRL) event.modifiers |= VTB_VIEWER_CTRL;
    switch (given.getEventType()) {
      case GUIEventAdapter::PUSH:
      case GUIEventAdapter::DOUBLECLICK:
        event.type = VTB_VIEWER_EVENT_PRESS;
        event.button = buttonOf(given.getButton());
        break;
      case GUIEventAdapter::RELEASE:
        event.type = VTB_VIEWER_EVENT_RELEASE;
        event.button = buttonOf(given.getButton());
        break;
      case GUIEventAdapter::MOVE:
      case GUIEventAdapter::DRAG:
        event.type = VTB_VIEWER_EVENT_MOVE;
        break;
      case GUIEventAdapter::SCROLL:
        event.type = VTB_VIEWER_EVENT_SCROLL;
        event.scroll = given.getScrollingMotion() == GUIEventAdapter::SCROLL_UP     ? 1
                       : given.getScrollingMotion() == GUIEventAdapter::SCROLL_DOWN ? -1
                                                                                    : 0;
        break;
      case GUIEventAdapter::KEYDOWN:
        event.type = VTB_VIEWER_EVENT_KEY;
        event.key = given.getKey();
        break;
      case GUIEventAdapter::KEYUP:
        event.type = VTB_VIEWER_EVENT_KEY_RELEASE;
        event.key = given.getKey();
        break;
      case GUIEventAdapter::RESIZE:
        event.type = VTB_VIEWER_EVENT_RESIZE;
        event.x = given.getWindowWidth();
        event.y = given.getWindowHeight();
        break;
      case GUIEventAdapter::CLOSE_WINDOW:
      case GUIEventAdapter::QUIT_APPLICATION:
        event.type = VTB_VIEWER_EVENT_CLOSE;
        break;
      default:
        return false;
    }
    events.push_back(event);
    return true;
  }

 private:
  static int buttonOf(int mask) {
    return mask == GUIEventAdapter::RIGHT_MOUSE_BUTTON    ? VTB_VIEWER_RIGHT
           : mask == GUIEventAdapter::MIDDLE_MOUSE_BUTTON ? VTB_VIEWER_MIDDLE
                                                          : VTB_VIEWER_LEFT;
  }
};

// A context of the display without a window, for what is to be known before one opens; null where there is none.
osg::ref_ptr<osg::GraphicsContext> probeOf() {
  osg::ref_ptr<osg::GraphicsContext::Traits> traits = new osg::GraphicsContext::Traits;
  traits->readDISPLAY();
  traits->width = traits->height = 1;
  traits->pbuffer = true;
  return osg::GraphicsContext::createGraphicsContext(traits);
}

// Mesa's drivers without a GPU, by their names.
bool drawnBySoftware(osg::GraphicsContext* probe) {
  if (!probe || !probe->valid() || !probe->realize() || !probe->makeCurrent()) return false;
  const GLubyte* name = glGetString(GL_RENDERER);
  const std::string renderer = name ? reinterpret_cast<const char*>(name) : "";
  probe->releaseContext();
  return renderer.find("llvmpipe") != std::string::npos || renderer.find("softpipe") != std::string::npos;
}

class OsgWindow : public Window {
 public:
  bool open(int width, int height, int samples, const std::string& title, std::string& error) {
    const char* display = std::getenv("DISPLAY");
    const std::string without = "; without a window: vertebra render draws pictures, vertebra view --script F --offscreen runs a script";
    if (!display || !*display) {
      error = "no window can be opened: the environment names no display (DISPLAY)" + without;
      return false;
    }
    osg::ref_ptr<osg::GraphicsContext::Traits> traits = new osg::GraphicsContext::Traits;
    traits->readDISPLAY();
    traits->x = traits->y = 40;
    traits->width = width;
    traits->height = height;
    traits->windowDecoration = true;
    traits->doubleBuffer = true;
    traits->windowName = title;
    traits->depth = 24;
    const osg::NotifySeverity told = osg::getNotifyLevel();  // what goes wrong is told below, once
    osg::setNotifyLevel(osg::ALWAYS);
    osg::ref_ptr<osg::GraphicsContext> context,
        probe;  // the probe stays until a window is there: a display in memory resets when its last client goes
    if (samples < 0) samples = drawnBySoftware((probe = probeOf()).get()) ? 0 : kSamples;
    for (const int wanted : {samples, 0}) {
      if (context.valid() && context->valid()) break;
      traits->samples = static_cast<unsigned>(wanted);
      traits->sampleBuffers = wanted > 0;
      context = osg::GraphicsContext::createGraphicsContext(traits);
    }
    samples_ = static_cast<int>(traits->samples);
    osg::setNotifyLevel(told);
    if (!context.valid() || !context->valid()) {
      error = "no window can be opened on display '" + std::string(display) + "' (is an X server there, with OpenGL?)" + without;
      return false;
    }
    viewer_ = new osgViewer::Viewer;
    viewer_->setThreadingModel(osgViewer::Viewer::SingleThreaded);
    viewer_->setKeyEventSetsDone(0);
    viewer_->setReleaseContextAtEndOfFrameHint(false);
    viewer_->setQuitEventSetsDone(false);
    osg::Camera* camera = viewer_->getCamera();
    camera->setGraphicsContext(context);
    camera->setViewport(0, 0, width, height);
    camera->setDrawBuffer(GL_BACK);
    camera->setReadBuffer(GL_BACK);
    camera->setProjectionResizePolicy(osg::Camera::FIXED);
    camera->setComputeNearFarMode(osg::CullSettings::DO_NOT_COMPUTE_NEAR_FAR);
    viewer_->addEventHandler(listener_);
    return true;
  }

  void setScene(osg::Node* scene, const osg::Vec4& background) override {
    viewer_->setSceneData(scene);
    viewer_->getCamera()->setClearColor(background);
    viewer_->realize();
  }

  std::vector<Event> events() override {
    viewer_->advance();
    viewer_->eventTraversal();
    return std::exchange(listener_->events, {});
  }

  void draw(const osg::Matrixd& projection, const osg::Matrixd& view) override {
    viewer_->getCamera()->setProjectionMatrix(projection);
    viewer_->getCamera()->setViewMatrix(view);
    viewer_->updateTraversal();
    viewer_->renderingTraversals();
  }

  osg::ref_ptr<osg::Image> image() override {
    osg::GraphicsContext* context = viewer_->getCamera()->getGraphicsContext();
    context->makeCurrent();
    const osg::Viewport* port = viewer_->getCamera()->getViewport();
    osg::ref_ptr<osg::Image> image = new osg::Image;
    glReadBuffer(GL_FRONT);
    image->readPixels(0, 0, static_cast<int>(port->width()), static_cast<int>(port->height()), GL_RGB, GL_UNSIGNED_BYTE, 1);
    return image;
  }

  int samples() const override { return samples_; }

 private:
  int samples_ = 0;
  osg::ref_ptr<osgViewer::Viewer> viewer_;
  osg::ref_ptr<Listener> listener_ = new Listener;
};

}  // namespace

std::unique_ptr<Window> Window::create(int width, int height, int samples, const std::string& title, std::string& error) {
  auto made = std::make_unique<OsgWindow>();
  if (!made->open(width, height, samples, title, error)) return nullptr;
  return made;
}

}  // namespace vertebra::viewer
